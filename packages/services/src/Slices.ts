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
