import { useState } from "preact/hooks"
import { DataTable } from "../../components/DataTable.js"
import { chartHeight, chartWidth, scaleEnd, stepPaths } from "./ChartScale.js"

/** The values of one line of a chart, one for each period. */
export interface Series {
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

const plain = (value: number) => value.toLocaleString("en")

/** The values as a table. They are rendered when the table is opened: a year has many rows. */
const Values = ({ format = plain, periods, series, title, unit }: SeriesChartProps) => {
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
export const SeriesChart = (props: SeriesChartProps) => {
  const { format = plain, periods, series, title } = props
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
