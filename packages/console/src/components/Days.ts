/** The start of a day of the URL in the zone of the browser; undefined if the parameter is no day like `2026-11-28`. */
export const dayOf = (query: URLSearchParams, name: string): Date | undefined => {
  const text = query.get(name) ?? ""
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const date = new Date(`${text}T00:00`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The start of the next day. */
export const nextDay = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1)
