/** How many of these, from the first on, are no more than `most` together; one at least. */
export const howManyFit = (sizes: ReadonlyArray<number>, most: number): number => {
  let sum = 0
  const tooMany = sizes.findIndex((size, index) => {
    sum += size
    return index > 0 && sum > most
  })
  return tooMany === -1 ? sizes.length : tooMany
}

/**
 * Which of these are no more than `most` together, one at least; null for none. What weighs nothing always fits, and
 * what weighs something passes nobody: else the heavy would wait for ever.
 */
export const whichFit = (sizes: ReadonlyArray<number>, most: number | null): ReadonlyArray<boolean> => {
  const first = most === null ? 0 : howManyFit(sizes, most)
  return sizes.map((size, index) => size === 0 || index < first)
}
