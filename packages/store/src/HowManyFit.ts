/** How many of these, from the first on, are no more than `most` together; one at least. */
export const howManyFit = (sizes: ReadonlyArray<number>, most: number): number => {
  let sum = 0
  const tooMany = sizes.findIndex((size, index) => {
    sum += size
    return index > 0 && sum > most
  })
  return tooMany === -1 ? sizes.length : tooMany
}
