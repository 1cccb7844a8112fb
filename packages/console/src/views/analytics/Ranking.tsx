import type { ComponentChildren } from "preact"
import { DataTable } from "../../components/DataTable.js"
import { percent } from "./Percent.js"

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
export const Ranking = ({ counted, entries, isComplete = false, title, unit }: RankingProps) => {
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
            count.toLocaleString("en"),
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
