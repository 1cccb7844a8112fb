import type { Counted } from "./ErasureRepo.js"

/** Adds the counts of each kind. Kinds without records are left out. */
export const addCounts = (counts: ReadonlyArray<Counted>, more: ReadonlyArray<Counted>): ReadonlyArray<Counted> => {
  const sums = new Map<string, number>()
  for (const { count, what } of [...counts, ...more]) if (count > 0) sums.set(what, (sums.get(what) ?? 0) + count)
  return Array.from(sums, ([what, count]) => ({ what, count }))
}
