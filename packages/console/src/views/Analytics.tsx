import { useMemo, useState } from "preact/hooks"
import { client, serviceUrl } from "../app/Client.js"
import { changeQuery, place } from "../app/Location.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import { Button } from "../components/Actions.js"
import { DataTable } from "../components/DataTable.js"
import { Status } from "../components/Facts.js"
import { dayOf, nextDay, numberText, percent } from "../components/Format.js"
import { DateFilter, filterText, TagFilter } from "../components/ListView.js"
import { EmptyState, ErrorNotice, Pending, sendCommand } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { useDebounced, useLoad, ViewHeader } from "../components/View.js"
import { Charts } from "./Charts.js"
import { Figures, isEmpty } from "./Figures.js"

const statuses = [
  ...(["scheduled", "pending", "queued", "processing"] as const),
  ...(["sent", "delivered", "read", "complained", "bounced", "failed"] as const)
]

/** The number of messages with a tag that were accepted in the range and have a status now. */
const countOf = async (tag: string, status: (typeof statuses)[number], range: Range, signal: AbortSignal) => {
  const urlParams = {
    ...{ tag, status, limit: 1, startDate: range.startDate },
    // In the list, the end is part of the range.
    endDate: new Date(range.endDate.getTime() - 1)
  }
  const [{ pagination }, { headers }] = await client.messages.list({ urlParams, withResponse: true }, { signal })
  return { status, count: pagination.total, isEstimated: headers["total-estimated"] === "true" }
}

/** The messages with a tag by their present status. Each message has one status, so that the counts add up. */
const TagFigures = ({ range, tag }: { readonly range: Range; readonly tag: string }) => {
  const { error, reload, value } = useLoad(
    (signal) => Promise.all(statuses.map((status) => countOf(tag, status, range, signal))),
    [range, tag]
  )
  const total = (value ?? []).reduce((sum, { count }) => sum + count, 0)
  return (
    <section class="card padded" aria-label={`Tag ${tag}`}>
      <h2>
        Tag <span class="tag">{tag}</span>
      </h2>
      {value === undefined ? (
        <Pending error={error} reload={reload} />
      ) : total === 0 ? (
        <p class="hint">No message with this tag was accepted in this range.</p>
      ) : (
        <>
          <p class="hint">
            Messages with this tag that were accepted in this range, by their present status. Shares are of all of them.
          </p>
          <DataTable
            caption={`Messages with the tag ${tag}`}
            columns={["Status", "Messages", "Share"]}
            rows={[
              ...value
                .filter(({ count }) => count > 0)
                .map(({ count, isEstimated, status }) => [
                  <a key={status} href={linkTo(paths.messages, {}, { tag, status })}>
                    <Status value={status} />
                  </a>,
                  `${isEstimated ? "about " : ""}${numberText(count)}`,
                  percent(count / total)
                ]),
              ["All", numberText(total), "100 %"]
            ]}
          />
        </>
      )}
    </section>
  )
}

const hour = 3_600_000
const day = 24 * hour

/** The ranges that end now, in milliseconds; `today` begins at midnight in the zone of the browser. */
const lengths = { "24h": day, "7d": 7 * day, "30d": 30 * day, "90d": 90 * day, "365d": 365 * day } as const

type RangeName = "today" | keyof typeof lengths

/** The ranges with their words. */
const rangeWords: Readonly<Record<RangeName, string>> = {
  today: "Today",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "365d": "Last 365 days"
}

/** A range: from `startDate` inclusive to `endDate` exclusive. */
interface Range {
  readonly startDate: Date
  readonly endDate: Date
  /** The length of a period of charts. */
  readonly granularity: "hour" | "day"
}

const isRangeName = (name: string): name is RangeName => Object.hasOwn(rangeWords, name)

/** The name of the range in the URL; undefined for a range of dates. */
const rangeName = (query: URLSearchParams): RangeName | undefined => {
  const name = query.get("range") ?? ""
  if (isRangeName(name)) return name
  return dayOf(query, "from") === undefined && dayOf(query, "to") === undefined ? "30d" : undefined
}

/** The maximum length of a range that is shown by hour: more values than pixels would be drawn. */
const maxHourly = 31 * day

/** The range in the URL: a name (`range`), or dates (`from` and `to`, both inclusive). Default: the last 30 days. */
const rangeOf = (query: URLSearchParams, now: number): Range => {
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

/** The range of the analytics: a part of the URL. */
const RangeFilter = () => {
  const { query } = place.value
  return (
    <search class="filters range">
      <select
        aria-label="Range"
        value={rangeName(query) ?? ""}
        onChange={(event) => changeQuery({ range: event.currentTarget.value, from: undefined, to: undefined })}
      >
        {rangeName(query) === undefined && <option value="">Dates</option>}
        {Object.entries(rangeWords).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <select
        aria-label="Periods"
        value={query.get("by") === "hour" ? "hour" : ""}
        onChange={(event) => changeQuery({ by: event.currentTarget.value })}
      >
        <option value="">By day</option>
        <option value="hour">By hour</option>
      </select>
      <DateFilter label="From" name="from" replaces="range" />
      <DateFilter label="To" name="to" replaces="range" />
      {can("messages.read") && <TagFilter />}
    </search>
  )
}

const exports = [
  ["messages", "csv", "Messages as CSV"],
  ["messages", "json", "Messages as JSON"],
  ["events", "csv", "Events as CSV"],
  ["events", "json", "Events as JSON"]
] as const

/** Links to download the range. The browser stores the response while it arrives: an export can be large. */
const ExportLinks = ({ range: { endDate, startDate } }: { readonly range: Range }) => (
  <Card class="padded" title="Export">
    <div class="export-links">
      {exports.map(([type, format, label]) => {
        const query = new URLSearchParams({
          type,
          format,
          startDate: startDate.toISOString(),
          endDate: endDate.toISOString()
        })
        return (
          <a
            key={label}
            class="button"
            href={`${serviceUrl}/v1/analytics/export?${query}`}
            download={`${type}.${format}`}
          >
            {label}
          </a>
        )
      })}
    </div>
  </Card>
)

/** All figures of a range. */
const loadAnalytics = async ({ granularity, ...urlParams }: Range, signal: AbortSignal) => {
  const [stats, delivery, hours, channels, places, participants, failures] = await Promise.all([
    client.analytics.stats({ urlParams }, { signal }),
    client.analytics.deliveryMetrics({ urlParams: { ...urlParams, granularity } }, { signal }),
    client.analytics.hourlyDistribution({ urlParams }, { signal }),
    client.analytics.channelStats({ urlParams }, { signal }),
    client.analytics.geographicDistribution({ urlParams }, { signal }),
    client.analytics.topParticipants({ urlParams }, { signal }),
    client.analytics.failures({ urlParams }, { signal })
  ])
  return { stats, delivery, hours, channels, places, participants, failures }
}

export type Analytics = Awaited<ReturnType<typeof loadAnalytics>>

/** The figures of a range: charts with their tables, and exports. The range is a part of the URL. */
export const AnalyticsView = () => {
  const [round, setRound] = useState(0)
  const { query } = place.value
  const tag = useDebounced(filterText("tag") ?? "")
  const range = useMemo(() => rangeOf(query, Date.now()), [query.toString(), round])
  const { error, value } = useLoad((signal) => loadAnalytics(range, signal), [range])
  const refresh = () => setRound(round + 1)
  return (
    <>
      <ViewHeader title="Analytics">
        <Button label="Refresh" icon="refresh" press={refresh} />
      </ViewHeader>
      <RangeFilter />
      <div class="analytics">
        {error !== undefined && <ErrorNotice error={error} retry={refresh} />}
        {value === undefined && error === undefined && <p class="starting" role="status" aria-label="Loading" />}
        {value !== undefined &&
          (value.channels.every(isEmpty) ? (
            <EmptyState
              title="No messages in this range"
              text="Choose another range, or send a message:"
              command={sendCommand()}
            />
          ) : (
            <>
              {tag !== "" && can("messages.read") && <TagFigures range={range} tag={tag} />}
              <Figures channels={value.channels} stats={value.stats} />
              <Charts value={value} />
              <ExportLinks range={range} />
            </>
          ))}
      </div>
    </>
  )
}
