import { Effect } from "effect"

/** Octets that a slice of a computation handles: less than a millisecond. */
export const sliceBytes = 192 * 1024

/** A computation that yields after each slice. */
export type Slices<A> = Generator<void, A, void>

/** Runs a computation without a pause. */
export const atOnce = <A>(slices: Slices<A>): A => {
  for (;;) {
    const next = slices.next()
    if (next.done === true) return next.value
  }
}

/** Waits for the next turn of the event loop: input is read before. `Effect.yieldNow` does not wait for input. */
export const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Runs a computation. Other requests are handled between its slices. */
export const inSlices = <A>(slices: Slices<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const next = slices.next()
    return next.done === true ? Effect.succeed(next.value) : Effect.flatMap(nextTurn, () => inSlices(slices))
  })
