import { createHash } from "node:crypto"

/** A number in [0, 1) that depends only on the seed and the labels, not on time or earlier rolls. */
export type Dice = (...labels: ReadonlyArray<string | number>) => number

export const makeDice =
  (seed: string): Dice =>
  (...labels) =>
    createHash("sha256")
      .update([seed, ...labels].join("/"))
      .digest()
      .readUInt32BE(0) /
    2 ** 32

/** Selects one of the values by a roll. */
export const pick = <A>(values: readonly [A, ...Array<A>], roll: number): A =>
  values[Math.floor(roll * values.length)] ?? values[0]
