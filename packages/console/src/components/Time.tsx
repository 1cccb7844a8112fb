import { now } from "./Now.js"
import { relativeTime } from "./RelativeTime.js"

const complete = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", hour12: false })

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
      {isComplete ? complete.format(date) : relativeTime(date, Math.max(now.value, Date.now()), isUpcoming)}
    </time>
  )
}
