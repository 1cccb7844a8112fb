import { Array, Effect } from "effect"

/** Runs `rounds` process lifetimes in `slots` concurrent slots. */
export const lives = <E, R>(
  { rounds, slots }: { readonly rounds: number; readonly slots: number },
  life: (slot: number, round: number) => Effect.Effect<unknown, E, R>
) =>
  Effect.forEach(
    Array.range(0, slots - 1),
    (slot) => Effect.forEach(Array.range(0, Math.ceil(rounds / slots) - 1), (round) => life(slot, round)),
    { concurrency: "unbounded", discard: true }
  )
