import { now } from "./Now.js"

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })
const sameYear = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hour12: false
})
const otherYear = new Intl.DateTimeFormat("en", { dateStyle: "medium" })
const complete = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", hour12: false })

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const relativeText = (date: Date, at: number): string => {
  const passed = date.getTime() - at
  const size = Math.abs(passed)
  if (size < minute) return passed > 0 ? "in a moment" : "just now"
  if (size < hour) return relative.format(Math.trunc(passed / minute), "minute")
  if (size < day) return relative.format(Math.trunc(passed / hour), "hour")
  return (date.getFullYear() === new Date(at).getFullYear() ? sameYear : otherYear).format(date)
}

/**
 * A time in the zone of the browser: relative within a day, or complete. Its tooltip is in UTC. `now` renders it again,
 * and is older than the time of a response that has just arrived.
 */
export const Time = ({
  isComplete = false,
  value
}: {
  readonly value: Date | string
  readonly isComplete?: boolean
}) => {
  const date = typeof value === "string" ? new Date(value) : value
  const utc = `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`
  return (
    <time dateTime={date.toISOString()} title={utc}>
      {isComplete ? complete.format(date) : relativeText(date, Math.max(now.value, Date.now()))}
    </time>
  )
}
