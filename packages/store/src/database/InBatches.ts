import { Effect } from "effect"

/** Repeats a round until it finds less than `full`, so that no transaction grows with what there is to do; how many that was. */
export const inBatches = <E, R>(round: Effect.Effect<number, E, R>, full: number): Effect.Effect<number, E, R> =>
  Effect.iterate(
    { total: 0, last: full },
    {
      while: ({ last }) => last >= full,
      body: ({ total }) => Effect.map(round, (last) => ({ total: total + last, last }))
    }
  ).pipe(Effect.map(({ total }) => total))
