import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { type FoldedEvent, fold, type Rollup } from "@switchboard/domain/analytics/Rollup"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"

/** The table of a rollup. Its key begins with `organization_id`. */
export interface RollupTable<Row> {
  readonly rollup: Rollup<Row>
  readonly name: string
  /** The columns of the primary key with their types. */
  readonly key: Readonly<Record<string, string>>
  /** The columns that are added up, with their types. */
  readonly sums: Readonly<Record<string, string>>
  /** Further columns, with their types, and the SQL that merges a row of `excluded` into the stored row `t`. */
  readonly others?: { readonly types: Readonly<Record<string, string>>; readonly merged: string }
  /** A row with the names of the columns. */
  readonly record: (row: Row) => Readonly<Record<string, unknown>>
  /**
   * The column with the start of the period that a row counts, and the first start that is not before an instant; both
   * in milliseconds since 1970. No event is before the period that it is counted in. A rebuild replaces the rows of
   * complete periods. Null without periods.
   */
  readonly time: {
    readonly column: string
    readonly after: (millis: number) => number
    readonly of: (row: Row) => number
  } | null
}

/** SQL for `others`: two arrays, of ascending numbers and of their sums. */
export const mergedArrays = (numbers: string, sums: string) => /* sql */ `(${numbers}, ${sums}) = (
  SELECT coalesce(array_agg(number ORDER BY number), '{}'), coalesce(array_agg(messages ORDER BY number), '{}') FROM (
    SELECT number, sum(messages)::integer AS messages FROM (
      SELECT * FROM unnest(t.${numbers}, t.${sums}) AS stored(number, messages)
      UNION ALL SELECT * FROM unnest(excluded.${numbers}, excluded.${sums})
    ) AS one GROUP BY number
  ) AS summed
)`

const columnsOf = <Row>({ key, others, sums }: RollupTable<Row>) => ({ ...key, ...sums, ...others?.types })

/** SQL: the rows of a JSON parameter, with the columns of the table. */
export const rowsOf = <Row>(table: RollupTable<Row>, parameter: string) =>
  `json_to_recordset(${parameter}::json) AS r(${Object.entries(columnsOf(table))
    .map(([column, type]) => `${column} ${type}`)
    .join(", ")})`

/** The rows as a JSON parameter. */
export const rowParameter = <Row>({ record }: RollupTable<Row>, rows: ReadonlyArray<Row>) =>
  JSON.stringify(rows.map(record))

const addStatement = <Row>(table: RollupTable<Row>) => {
  const { key, name, others, sums } = table
  const columns = Object.keys(columnsOf(table)).join(", ")
  return `INSERT INTO ${name} AS t (${columns}) SELECT ${columns} FROM ${rowsOf(table, "$1")}
    ON CONFLICT (${Object.keys(key).join(", ")}) DO UPDATE SET ${[
      ...Object.keys(sums).map((column) => `${column} = t.${column} + excluded.${column}`),
      ...(others === undefined ? [] : [others.merged])
    ].join(", ")}`
}

/** Adds rows to a table. Only one transaction at a time may add rows of an organization (`RollupRepoSql` locks them). */
export const addRows = <Row>(table: RollupTable<Row>) => {
  const statement = addStatement(table)
  return (sql: SqlClient.SqlClient, rows: ReadonlyArray<Row>): Effect.Effect<void, SqlError> =>
    rows.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(statement, [rowParameter(table, rows)]))
}

/** A rollup with its table, without the type of its rows. */
export interface RollupWriter {
  readonly types: ReadonlyArray<EventType>
  /** Adds what events contribute, to the rows of periods from `start` (milliseconds since 1970) on. */
  readonly add: (
    sql: SqlClient.SqlClient,
    events: ReadonlyArray<FoldedEvent>,
    start?: number
  ) => Effect.Effect<void, SqlError>
  /** Deletes the rows of an organization's periods from `start` on. */
  readonly clear: (
    sql: SqlClient.SqlClient,
    organization: OrganizationId,
    start: number
  ) => Effect.Effect<void, SqlError>
  /** The start of the first period at an instant or later; null if events before it are in all rows. */
  readonly startAfter: (at: DateTime.Utc) => number | null
}

export const rollupWriter = <Row>(table: RollupTable<Row>): RollupWriter => {
  const { name, rollup, time } = table
  const add = addRows(table)
  return {
    types: rollup.types,
    add: (sql, events, start = 0) =>
      add(
        sql,
        fold(rollup, events).filter((row) => time === null || time.of(row) >= start)
      ),
    clear: (sql, organization, start) =>
      Effect.asVoid(
        time === null
          ? sql.unsafe(`DELETE FROM ${name} WHERE organization_id = $1`, [organization])
          : sql.unsafe(`DELETE FROM ${name} WHERE organization_id = $1 AND ${time.column} >= $2`, [
              organization,
              DateTime.formatIso(DateTime.unsafeMake(start))
            ])
      ),
    startAfter: (at) => {
      const millis = DateTime.toEpochMillis(at)
      if (time === null) return millis === 0 ? 0 : null
      return time.after(millis)
    }
  }
}
