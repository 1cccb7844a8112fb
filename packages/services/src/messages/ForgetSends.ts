import { Effect } from "effect"
import type { Chore } from "../Chore.js"
import { contentsKept, keysKept, SendMemory } from "./SendMemory.js"
import { SendSettings } from "./SendSettings.js"

/** Forgets sends whose repetition would be a new send, so that what is remembered of them does not grow forever. */
export const forgetSends: Effect.Effect<Chore, never, SendMemory | SendSettings> = Effect.gen(function* () {
  const memory = yield* SendMemory
  const { dedupeWindow } = yield* SendSettings
  const forget = memory.forget({ keys: keysKept, contents: contentsKept(dedupeWindow) })
  return {
    what: "Forgetting old sends",
    every: "1 hour",
    round: Effect.map(forget, ({ contents, keys }) => keys + contents)
  }
})
