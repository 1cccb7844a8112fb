const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** A time as the value of a `datetime-local` field, in the zone of the browser: `2026-11-23T16:30`. */
export const localTime = (date: Date): string =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
