import { Effect } from "effect"

/**
 * Repeats a batch until it changes fewer than `full` rows, so that no transaction grows with the work. Returns the
 * total.
 */
export const inBatches = <E, R>(batch: Effect.Effect<number, E, R>, full: number): Effect.Effect<number, E, R> =>
  Effect.iterate(
    { total: 0, last: full },
    {
      while: ({ last }) => last >= full,
      body: ({ total }) => Effect.map(batch, (last) => ({ total: total + last, last }))
    }
  ).pipe(Effect.map(({ total }) => total))
