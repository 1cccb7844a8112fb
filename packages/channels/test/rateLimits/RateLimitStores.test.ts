import { describe } from "@effect/vitest"
import { memoryRateLimits } from "@switchboard/channels/rateLimits/RateLimitStores"
import { Effect } from "effect"
import { rateLimitContract } from "./RateLimitContract.js"

describe("Rate limits in memory", () => rateLimitContract(Effect.succeed(memoryRateLimits)))
