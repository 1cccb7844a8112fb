const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })
const sameYear = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hour12: false
})
const otherYear = new Intl.DateTimeFormat("en", { dateStyle: "medium" })

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * A time as text: relative within a day of `now`, in milliseconds. Only a planned time is ahead of now: the clock of the
 * service can be ahead of the browser's. A planned time that has come is now.
 */
export const relativeTime = (date: Date, now: number, isUpcoming = false): string => {
  const difference = date.getTime() - now
  if (isUpcoming && difference <= 0) return "now"
  const ahead = isUpcoming ? difference : Math.min(0, difference)
  const size = Math.abs(ahead)
  if (size < minute) return ahead > 0 ? "in a moment" : "just now"
  if (size < hour) return relative.format(Math.trunc(ahead / minute), "minute")
  if (size < day) return relative.format(Math.trunc(ahead / hour), "hour")
  return (date.getFullYear() === new Date(now).getFullYear() ? sameYear : otherYear).format(date)
}
