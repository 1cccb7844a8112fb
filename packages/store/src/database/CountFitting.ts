/** The number of leading items with a total size of at most `limit`; at least one. */
export const countFitting = (sizes: ReadonlyArray<number>, limit: number): number => {
  let sum = 0
  const tooMany = sizes.findIndex((size, index) => {
    sum += size
    return index > 0 && sum > limit
  })
  return tooMany === -1 ? sizes.length : tooMany
}

/**
 * Selects items with a total size of at most `limit`, at least one; none with a size if it is null. Items of size zero
 * are always selected. No item overtakes an earlier one with a size: otherwise large items could wait forever.
 */
export const selectFitting = (sizes: ReadonlyArray<number>, limit: number | null): ReadonlyArray<boolean> => {
  const first = limit === null ? 0 : countFitting(sizes, limit)
  return sizes.map((size, index) => size === 0 || index < first)
}
