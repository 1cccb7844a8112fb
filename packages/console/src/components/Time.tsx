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

/** The clock of the service can be ahead of the browser's: a time that has passed is never in the future. */
const relativeText = (date: Date, at: number, isUpcoming: boolean): string => {
  const ahead = isUpcoming ? date.getTime() - at : Math.min(0, date.getTime() - at)
  const size = Math.abs(ahead)
  if (size < minute) return ahead > 0 ? "in a moment" : "just now"
  if (size < hour) return relative.format(Math.trunc(ahead / minute), "minute")
  if (size < day) return relative.format(Math.trunc(ahead / hour), "hour")
  return (date.getFullYear() === new Date(at).getFullYear() ? sameYear : otherYear).format(date)
}

interface TimeProps {
  readonly value: Date | string
  readonly isComplete?: boolean
  /** Whether the time is planned, such as that of a next attempt. */
  readonly isUpcoming?: boolean
}

/** A time in the zone of the browser: relative within a day, or complete. Its tooltip is in UTC. */
export const Time = ({ isComplete = false, isUpcoming = false, value }: TimeProps) => {
  const date = typeof value === "string" ? new Date(value) : value
  const utc = `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`
  return (
    <time dateTime={date.toISOString()} title={utc}>
      {isComplete ? complete.format(date) : relativeText(date, Math.max(now.value, Date.now()), isUpcoming)}
    </time>
  )
}
