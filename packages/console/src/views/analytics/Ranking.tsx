import type { ComponentChildren } from "preact"
import { DataTable } from "../../components/DataTable.js"

interface RankingProps {
  readonly title: string
  /** The name of a counted item. */
  readonly unit: string
  readonly entries: ReadonlyArray<{ readonly name: ComponentChildren; readonly count: number }>
}

/** Counts in descending order, each with a bar. */
export const Ranking = ({ entries, title, unit }: RankingProps) => {
  const max = entries.reduce((high, { count }) => Math.max(high, count), 1)
  return (
    <section class="card padded ranking" aria-label={title}>
      <h2>{title}</h2>
      {entries.length === 0 ? (
        <p class="hint">None in this range</p>
      ) : (
        <DataTable
          caption={title}
          columns={[unit, "Count", "Share"]}
          rows={entries.map(({ count, name }) => [
            name,
            count.toLocaleString("en"),
            <svg key="bar" class="bar" aria-hidden="true">
              <rect width={`${(100 * count) / max}%`} height="100%" rx="3" />
            </svg>
          ])}
        />
      )}
    </section>
  )
}
