import { contentsKept, keysKept, SendMemory } from "@switchboard/services/messages/SendMemory"
import { SendSettings } from "@switchboard/services/messages/SendSettings"
import { Effect, Layer } from "effect"
import { regularly } from "../Regularly.js"

/** How often it is looked for keys and contents that need not be kept any longer. */
const forgetEvery = "1 hour"

/** Forgets sends whose repetition would be a new send, so that what is remembered of them does not grow forever. */
export const SendMemoryWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const memory = yield* SendMemory
    const { dedupeWindow } = yield* SendSettings
    const forget = memory
      .forget({ keys: keysKept, contents: contentsKept(dedupeWindow) })
      .pipe(
        Effect.tap((forgotten) =>
          forgotten.keys + forgotten.contents === 0
            ? Effect.void
            : Effect.annotateLogs(Effect.logDebug("Forgot what need not be kept"), forgotten)
        )
      )
    yield* regularly(forget, forgetEvery, "Forgetting old sends")
  })
)
