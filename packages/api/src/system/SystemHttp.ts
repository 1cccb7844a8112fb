import { HttpApiBuilder } from "@effect/platform"
import { System } from "@switchboard/services/system/System"
import { Effect } from "effect"
import { Api } from "../Api.js"

export const SystemHttp = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const system = yield* System
    return handlers.handle("status", () => system.status())
  })
)
