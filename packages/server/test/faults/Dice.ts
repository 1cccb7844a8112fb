import { createHash } from "node:crypto"

/** A number in [0, 1) that depends on the seed and on the labels alone: not on time, nor on what was rolled before. */
export type Dice = (...labels: ReadonlyArray<string | number>) => number

export const makeDice =
  (seed: string): Dice =>
  (...labels) =>
    createHash("sha256")
      .update([seed, ...labels].join("/"))
      .digest()
      .readUInt32BE(0) /
    2 ** 32

/** One of the values, by a roll. */
export const pick = <A>(values: readonly [A, ...Array<A>], roll: number): A =>
  values[Math.floor(roll * values.length)] ?? values[0]
