import { Effect } from "effect"

/** Waits for the next turn of the event loop: input is read before. `Effect.yieldNow` does not wait for input. */
export const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))
