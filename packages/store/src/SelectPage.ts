import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { BadRequestError } from "@switchboard/domain/Errors"
import { defaultLimit, maxCounted, maxLimit, type PageRequest, page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import { requestTimeout } from "@switchboard/services/RequestDeadline"
import { Effect, identity } from "effect"
import { preparedByText } from "./database/Prepared.js"
import { retryConflicts } from "./database/Unavailable.js"

/** A list in the order of its ids. Ids are UUIDv7: their order is the order of creation. */
interface List<Row, A> {
  /** The columns of a row, among them `id`: of the table of `id` and of `joins`, or without `joins` of all tables. */
  readonly columns: string
  /** The tables that the conditions name, with their aliases. */
  readonly tables: string
  /**
   * Joins to the table of `id` that only the rows of the page need. The page is found before them: the statistics of a
   * new table let PostgreSQL expect few rows of an organization, and it would join all of them.
   */
  readonly joins?: string
  readonly where: ReadonlyArray<Fragment>
  /** The column of the id, with its alias. */
  readonly id: string
  /** Columns of further tables with the same value, which are read in the same order. */
  readonly joinedIds?: ReadonlyArray<string>
  /** The default is the newest first. */
  readonly oldestFirst?: boolean
  readonly read: (row: Row) => A
  /** SQL: the total, if it is stored. Otherwise matching rows are counted up to `maxCounted`. */
  readonly total?: Fragment | undefined
  /** The total, if it is counted already: exact, or more than `maxCounted`. */
  readonly counted?: number | undefined
  /** Whether conditions are tested on rows that an index finds by another one: few of many rows may match. */
  readonly hasTests?: boolean
  /**
   * The name of prepared statements, for a frequent list. An index must find the rows of all conditions in the order of
   * the ids, so that one plan suits all values.
   */
  readonly prepared?: string | undefined
}

/** The stored total of a list, which is the same in each row. */
interface Totalled {
  readonly list_total?: number
}

/** Skipped items, from which a timeout is due to the number of the page. */
const minSlowSkip = 10_000

const outOfReach = new BadRequestError({
  message:
    "The page is too far from the start of the list: follow the Link header of an earlier page, or shorten the time range"
})

/**
 * The part of a request's time in which rows are counted, in milliseconds: many times what index entries take, so that it
 * limits only conditions that are tested on rows.
 */
const countTimeout = requestTimeout * 0.1

/**
 * The number of rows that match, counted up to one more than `maxCounted`, which is also the result of a timeout. Rows
 * are counted in the order of ids: without an order, the planner reads the table instead of the index of the list.
 */
export const countRows = (
  sql: SqlClient.SqlClient,
  { id, tables, where }: Pick<List<never, never>, "id" | "tables" | "where">,
  timeout = countTimeout
) =>
  sql<{ total: number }>`SELECT count(*)::int AS total FROM (
      SELECT FROM ${sql.literal(tables)} WHERE ${sql.and(where)} ORDER BY ${sql.literal(id)} DESC LIMIT ${maxCounted + 1}
    ) AS matching`.pipe(
    Effect.map(([row]) => row?.total ?? 0),
    Effect.timeoutTo({ duration: timeout, onSuccess: identity, onTimeout: () => maxCounted + 1 })
  )

const countTotal = <Row, A>(sql: SqlClient.SqlClient, list: List<Row, A>) =>
  list.total !== undefined
    ? Effect.map(sql<Totalled>`SELECT (${list.total})::float8 AS list_total`, ([row]) => row?.list_total ?? 0)
    : list.counted === undefined
      ? countRows(sql, list)
      : Effect.succeed(list.counted)

/**
 * A page of a list. One row more than the page has is read, to find whether another page follows. For a page number,
 * the id before the page is found first: by the index, without reading skipped rows, if it has all columns of the
 * conditions. The position of the last item of the list is the total.
 */
export const selectPage = Effect.fnUntraced(function* <Row extends object, A>(
  sql: SqlClient.SqlClient,
  request: PageRequest,
  list: List<Row, A>
) {
  const columns = sql.literal(list.columns)
  const tables = sql.literal(list.tables)
  const id = sql.literal(list.id)
  const [order, follows] = list.oldestFirst ? [sql`ORDER BY ${id}`, sql`>`] : [sql`ORDER BY ${id} DESC`, sql`<`]
  const skipped = (request.page - 1) * request.limit

  const total = list.total === undefined ? sql.literal("") : sql`, (${list.total})::float8 AS list_total`
  const select = (position: ReadonlyArray<Fragment>) => {
    const rows = (limit: Fragment) => {
      const found = sql`FROM ${tables} WHERE ${sql.and([...list.where, ...position])} ${order} LIMIT ${limit}`
      const table = sql.literal(list.id.replace(/\..*/, ""))
      return sql<Row & Totalled & { readonly id: string }>`SELECT ${columns}${total} ${
        list.joins === undefined
          ? found
          : sql`FROM (SELECT ${table}.* ${found}) AS ${table} ${sql.literal(list.joins)} ${order}`
      }`
    }
    const limit = request.limit + 1
    if (list.prepared === undefined) return rows(sql`${limit}`)
    // The inner limit is one of two constants: with a parameter as limit, PostgreSQL expects a tenth of all rows, finds a
    // plan for all values too expensive, and plans each execution.
    const maxRows = [defaultLimit + 1, maxLimit + 1].find((max) => limit <= max) ?? limit
    const [text, values] = sql`SELECT * FROM (${rows(sql.literal(String(maxRows)))}) AS page LIMIT ${limit}`.compile()
    return retryConflicts(
      sql.unsafe<Row & Totalled & { readonly id: string }>(preparedByText(list.prepared, text), values)
    )
  }
  const selectAfter = (last: string) =>
    select([list.id, ...(list.joinedIds ?? [])].map((column) => sql`${sql.literal(column)} ${follows} ${last}`))

  const skip = sql<{ id: string }>`SELECT ${id} AS id FROM ${tables} WHERE ${sql.and(list.where)} ${order}
    OFFSET ${skipped - 1} LIMIT 1`
  const find =
    request.after !== undefined
      ? selectAfter(request.after)
      : skipped === 0
        ? select([])
        : Effect.flatMap(skip, ([last]) => (last === undefined ? Effect.succeed([]) : selectAfter(last.id)))
  const isSlow = list.hasTests === true || (request.after === undefined && skipped >= minSlowSkip)
  const found = yield* isSlow
    ? Effect.timeoutFail(find, { duration: requestTimeout * 0.6, onTimeout: () => outOfReach })
    : find

  const reached = skipped + found.length
  const isComplete = request.after === undefined && found.length <= request.limit && (found.length > 0 || skipped === 0)
  const matching = isComplete ? reached : (found[0]?.list_total ?? (yield* countTotal(sql, list)))
  const isTotalEstimated = !isComplete && list.total === undefined && matching > maxCounted

  const shown = found.slice(0, request.limit)
  return page(
    yield* readableRows(shown, list.read),
    isTotalEstimated ? Math.max(maxCounted, reached) : matching,
    request,
    { isTotalEstimated, lastId: found.length > shown.length ? shown.at(-1)?.id : undefined }
  )
})
