import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import { DataTable } from "../components/DataTable.js"
import { countryName, durationText, numberText, percent } from "../components/Format.js"
import type { Analytics } from "./Analytics.js"
import { failureSentences } from "./MessageDeliveries.js"

/** The size of the drawing area; it is stretched to the width of the page. */
const chartWidth = 1_000
const chartHeight = 100

/** The end of the scale: the next value of 1, 2 or 5 times a power of ten. */
const scaleEnd = (max: number): number => {
  if (max <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(max))
  return ([1, 2, 5, 10].find((step) => step * power >= max) ?? 10) * power
}

/** The path of a line with a step for each value, and of the area below it. */
const stepPaths = (values: ReadonlyArray<number>, end: number) => {
  const width = chartWidth / Math.max(1, values.length)
  const steps = values.map((value, at) => {
    const y = (chartHeight * (1 - value / end)).toFixed(2)
    return `${at === 0 ? `M0 ${y}` : `V${y}`}H${(width * (at + 1)).toFixed(2)}`
  })
  const line = steps.join("")
  return { line, area: `${line}V${chartHeight}H0Z` }
}

/** The values of one line of a chart, one for each period. */
interface Series {
  readonly name: string
  readonly tone: "good" | "bad" | "warning" | "active" | "neutral"
  readonly values: ReadonlyArray<number>
}

interface SeriesChartProps {
  readonly title: string
  /** The name of the first column of the table, for example `Day`. */
  readonly unit: string
  readonly periods: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  readonly format?: (value: number) => string
}

/** The values as a table. They are rendered when the table is opened: a year has many rows. */
const Values = ({ format = numberText, periods, series, title, unit }: SeriesChartProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Values as a table</summary>
      {isOpen && (
        <DataTable
          caption={title}
          columns={[unit, ...series.map(({ name }) => name)]}
          rows={periods.map((period, at) => [period, ...series.map(({ values }) => format(values[at] ?? 0))])}
        />
      )}
    </details>
  )
}

/** A chart of values over time, drawn as SVG in the colours of the page, with its values as a table. */
const SeriesChart = (props: SeriesChartProps) => {
  const { format = numberText, periods, series, title } = props
  const max = Math.max(0, ...series.map(({ values }) => values.reduce((high, value) => Math.max(high, value), 0)))
  const end = scaleEnd(max)
  const width = chartWidth / Math.max(1, periods.length)
  return (
    <figure class="card padded chart">
      <figcaption>
        <h2>{title}</h2>
        <ul class="legend">
          {series.map(({ name, tone }) => (
            <li key={name} class={`status ${tone}`}>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot">
        <ol class="scale" aria-hidden="true">
          {[end, end / 2, 0].map((value) => (
            <li key={value}>{format(value)}</li>
          ))}
        </ol>
        <svg
          viewBox={`0 0 ${chartWidth} ${chartHeight}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: the highest value is ${format(max)}`}
        >
          {series.map(({ name, tone, values }) => {
            const { area, line } = stepPaths(values, end)
            return (
              <g key={name} class={`series ${tone}`}>
                <path class="area" d={area} />
                <path class="line" d={line} />
              </g>
            )
          })}
          {periods.map((period, at) => (
            <rect key={period} class="period" x={width * at} y="0" width={width} height={chartHeight}>
              <title>
                {`${period}: ${series.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`).join(", ")}`}
              </title>
            </rect>
          ))}
        </svg>
        <p class="periods" aria-hidden="true">
          <span>{periods[0]}</span>
          <span>{periods.length > 1 ? periods.at(-1) : ""}</span>
        </p>
      </div>
      <Values {...props} />
    </figure>
  )
}

interface RankingProps {
  readonly title: string
  /** The name of an entry. */
  readonly unit: string
  /** The heading of the counts. */
  readonly counted: string
  /** Whether these are all entries, so that each has its share of all. */
  readonly isComplete?: boolean
  readonly entries: ReadonlyArray<{ readonly name: ComponentChildren; readonly count: number }>
}

/** Counts in descending order, each with a bar. */
const Ranking = ({ counted, entries, isComplete = false, title, unit }: RankingProps) => {
  const total = entries.reduce((sum, { count }) => sum + count, 0)
  const max = entries.reduce((high, { count }) => Math.max(high, count), 1)
  return (
    <section class="card padded ranking" aria-label={title}>
      <h2>{title}</h2>
      {entries.length === 0 ? (
        <p class="hint">None in this range</p>
      ) : (
        <DataTable
          caption={title}
          columns={[unit, counted, isComplete ? "Share" : ""]}
          rows={entries.map(({ count, name }) => [
            name,
            numberText(count),
            <>
              {isComplete && percent(count / total)}{" "}
              <svg key="bar" class="bar" aria-hidden="true">
                <rect width={`${(100 * count) / max}%`} height="100%" rx="3" />
              </svg>
            </>
          ])}
        />
      )}
    </section>
  )
}

const dayFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium" })
const hourFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hour12: false })

const Delivery = ({ delivery: { granularity, series } }: Pick<Analytics, "delivery">) => {
  const format = granularity === "hour" ? hourFormat : dayFormat
  const shared = {
    unit: granularity === "hour" ? "Hour" : "Day",
    periods: series.map(({ timestamp }) => format.format(timestamp))
  }
  return (
    <>
      <SeriesChart
        {...shared}
        title="Deliveries"
        series={[
          { name: "Sent", tone: "active", values: series.map(({ sent }) => sent) },
          { name: "Delivered", tone: "good", values: series.map(({ delivered }) => delivered) },
          { name: "Bounced", tone: "warning", values: series.map(({ bounced }) => bounced) },
          { name: "Failed", tone: "bad", values: series.map(({ failed }) => failed) }
        ]}
      />
      <SeriesChart
        {...shared}
        title="Time until sending"
        format={(ms) => durationText(ms / 1_000)}
        series={[
          { name: "95th percentile", tone: "neutral", values: series.map(({ p95Ms }) => p95Ms) },
          { name: "Median", tone: "active", values: series.map(({ p50Ms }) => p50Ms) }
        ]}
      />
    </>
  )
}

/** The charts of a range. */
export const Charts = ({ value }: { readonly value: Analytics }) => (
  <>
    <Delivery delivery={value.delivery} />
    <SeriesChart
      title="Hours of the day"
      unit="Hour"
      periods={value.hours.map(({ hour }) => `${String(hour).padStart(2, "0")}:00`)}
      series={[
        { name: "Sent and received", tone: "active", values: value.hours.map(({ count }) => count) },
        { name: "Delivered", tone: "good", values: value.hours.map(({ delivered }) => delivered) },
        { name: "Failed", tone: "bad", values: value.hours.map(({ failed }) => failed) }
      ]}
    />
    <div class="columns">
      <Ranking
        title="Failures by reason"
        unit="Reason"
        counted="Recipients"
        isComplete
        entries={value.failures.map(({ count, reason }) => ({ name: failureSentences[reason], count }))}
      />
      <Ranking
        title="Top participants"
        unit="Participant"
        counted="Messages"
        entries={value.participants.map(({ messageCount, name, participantId: id }) => ({
          name: can("participants.read") ? <a href={linkTo(paths.contact, { id })}>{name}</a> : name,
          count: messageCount
        }))}
      />
      <Ranking
        title="Countries"
        unit="Country, region"
        counted="Recipients"
        isComplete
        entries={value.places.map(({ count, country, region }) => ({
          name: region === "unknown" ? countryName(country) : `${countryName(country)}, ${region}`,
          count
        }))}
      />
    </div>
  </>
)
