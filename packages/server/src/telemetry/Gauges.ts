import { readPools } from "@switchboard/store/database/PoolMetrics"
import { Effect } from "effect"
import { readProcess } from "./ProcessMetrics.js"

/** Updates the gauges of this process. */
export const readGauges = Effect.zipRight(readProcess, readPools)
