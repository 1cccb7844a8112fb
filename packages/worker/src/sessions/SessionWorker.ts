import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { Effect, Layer } from "effect"
import { regularly } from "../Regularly.js"

/** How often it is looked for log-ins that are over. */
const forgetEvery = "1 hour"

/** Forgets log-ins that are over. */
export const SessionWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { forgetExpired } = yield* SessionRepo
    const forget = Effect.tap(forgetExpired, (sessions) =>
      sessions === 0 ? Effect.void : Effect.annotateLogs(Effect.logDebug("Forgot log-ins that are over"), { sessions })
    )
    yield* regularly(forget, forgetEvery, "Forgetting old log-ins")
  })
)
