import { Effect } from "effect"
import type { Slices } from "./Slices.js"

/** Waits for the next turn of the event loop: input is read before. `Effect.yieldNow` does not wait for input. */
export const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Runs a computation. Other requests are handled between its slices. */
export const inSlices = <A>(slices: Slices<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const next = slices.next()
    return next.done === true ? Effect.succeed(next.value) : Effect.flatMap(nextTurn, () => inSlices(slices))
  })
