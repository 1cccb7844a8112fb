import { dayOf, nextDay } from "../../components/Days.js"

const hour = 3_600_000
const day = 24 * hour

/** The ranges that end now, in milliseconds; `today` begins at midnight in the zone of the browser. */
const lengths = { "24h": day, "7d": 7 * day, "30d": 30 * day, "90d": 90 * day, "365d": 365 * day } as const

export type RangeName = "today" | keyof typeof lengths

/** The ranges with their words. */
export const rangeWords: Readonly<Record<RangeName, string>> = {
  today: "Today",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "365d": "Last 365 days"
}

/** A range: from `startDate` inclusive to `endDate` exclusive. */
export interface Range {
  readonly startDate: Date
  readonly endDate: Date
  /** The length of a period of charts. */
  readonly granularity: "hour" | "day"
}

const isRangeName = (name: string): name is RangeName => Object.hasOwn(rangeWords, name)

/** The name of the range in the URL; undefined for a range of dates. */
export const rangeName = (query: URLSearchParams): RangeName | undefined => {
  const name = query.get("range") ?? ""
  if (isRangeName(name)) return name
  return dayOf(query, "from") === undefined && dayOf(query, "to") === undefined ? "30d" : undefined
}

/** The maximum length of a range that is shown by hour: more values than pixels would be drawn. */
const maxHourly = 31 * day

/** The range in the URL: a name (`range`), or dates (`from` and `to`, both inclusive). Default: the last 30 days. */
export const rangeOf = (query: URLSearchParams, now: number): Range => {
  const name = rangeName(query)
  const endDate = name === undefined ? nextDay(dayOf(query, "to") ?? new Date(now)) : new Date(now)
  const startDate =
    name === undefined
      ? (dayOf(query, "from") ?? new Date(endDate.getTime() - lengths["30d"]))
      : name === "today"
        ? new Date(new Date(now).setHours(0, 0, 0, 0))
        : new Date(now - lengths[name])
  const length = endDate.getTime() - startDate.getTime()
  const isHourly = length <= 2 * day || (query.get("by") === "hour" && length <= maxHourly)
  return { startDate, endDate, granularity: isHourly ? "hour" : "day" }
}
