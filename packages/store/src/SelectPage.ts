import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { BadRequestError } from "@switchboard/domain/Errors"
import { maxCounted, type PageRequest, page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import { requestDeadline, requestTimeout } from "@switchboard/services/RequestDeadline"
import { Effect, FiberRef, identity } from "effect"

/** Conditions that are tested on each row in the order of the list: few of many rows may match. */
export interface Tests {
  /** Joins to tables that the conditions name. */
  readonly joins?: string
  readonly where: ReadonlyArray<Fragment>
  /** Columns of joined tables with the value of the list's id, which are read in the same order. */
  readonly ids?: ReadonlyArray<string>
  /** Whether `maxCounted` rows are tested at most. */
  readonly isShort?: boolean
}

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
  /** Conditions on each row that `tables` and `where` find. */
  readonly tests?: Tests | undefined
  /** The column of the id, with its alias. */
  readonly id: string
  /** The default is the newest first. */
  readonly oldestFirst?: boolean
  readonly read: (row: Row) => A
  /** SQL: the total, if it is stored. Otherwise matching rows are counted up to `maxCounted`. */
  readonly total?: Fragment | undefined
  /** The total, if it is counted already: exact, or more than `maxCounted`. */
  readonly counted?: number | undefined
}

/** The stored total of a list, which is the same in each row. */
interface Totalled {
  readonly list_total?: number
}

/** The numbers of rows in which conditions are tested: few at first, because most pages are complete then. */
const firstWindow = 1_000
const nextWindow = 10_000

/** The remaining part of a request's time from which no further window is tested, in milliseconds. */
const minWindowsTime = requestTimeout * 0.4

/** The part of a request's time in which a page number is found, in milliseconds. */
const skipTimeout = requestTimeout * 0.6

/** Skipped items, from which a timeout is due to the number of the page. */
const minSlowSkip = 10_000

/** The number of items before a page that is found by its number. */
export const skippedItems = ({ after, limit, page }: PageRequest): number =>
  after === undefined ? (page - 1) * limit : 0

/** Whether few index entries are skipped before a page. */
export const isNear = (request: PageRequest): boolean => skippedItems(request) < minSlowSkip

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

/** A list without the distinction between its conditions. */
const withTests = <Row, A>({ id, tables, tests, where }: List<Row, A>) => ({
  id,
  tables: `${tables} ${tests?.joins ?? ""}`,
  where: [...where, ...(tests?.where ?? [])]
})

const countTotal = <Row, A>(sql: SqlClient.SqlClient, list: List<Row, A>) =>
  list.total !== undefined
    ? Effect.map(sql<Totalled>`SELECT (${list.total})::float8 AS list_total`, ([row]) => row?.list_total ?? 0)
    : list.counted === undefined
      ? countRows(sql, withTests(list))
      : Effect.succeed(list.counted)

/** The rows of a page, and one more if another row follows. */
interface Found<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The last id that was tested, if the time was over before the page was complete. */
  readonly tested?: string
}

/**
 * A page of a list. One row more than the page has is read, to find whether another page follows. For a page number,
 * the id before the page is found first: by the index, without reading skipped rows, if it has all columns of the
 * conditions. The position of the last item of the list is the total. Rows are tested in windows until the page is
 * complete. After some time it ends with the window: the next page continues there.
 */
export const selectPage = Effect.fnUntraced(function* <Row extends object, A>(
  sql: SqlClient.SqlClient,
  request: PageRequest,
  list: List<Row, A>
) {
  type ListRow = Row & Totalled & { readonly id: string }
  const { limit } = request
  const all = withTests(list)
  const id = sql.literal(list.id)
  const ids = [id, ...(list.tests?.ids ?? []).map((column) => sql.literal(column))]
  const [order, after, upTo] = list.oldestFirst
    ? [sql`ORDER BY ${id}`, sql`>`, sql`<=`]
    : [sql`ORDER BY ${id} DESC`, sql`<`, sql`>=`]
  const skipped = skippedItems(request)

  /** The conditions that all these columns are after an id, and up to another one. */
  const between = (columns: ReadonlyArray<Fragment>, start: string | undefined, end?: string) =>
    columns.flatMap((column) => [
      ...(start === undefined ? [] : [sql`${column} ${after} ${start}`]),
      ...(end === undefined ? [] : [sql`${column} ${upTo} ${end}`])
    ])

  /** The id of the last of a number of rows; undefined if there are fewer. */
  const idAt = (rows: number, tables: string, where: ReadonlyArray<Fragment>) =>
    sql<{ id: string }>`SELECT ${id} AS id FROM ${sql.literal(tables)} WHERE ${sql.and(where)} ${order}
      OFFSET ${rows - 1} LIMIT 1`.pipe(Effect.map(([row]) => row?.id))

  const columns = sql.literal(list.columns)
  const total = list.total === undefined ? sql.literal("") : sql`, (${list.total})::float8 AS list_total`
  const select = (count: number, position: ReadonlyArray<Fragment>) => {
    const found = sql`FROM ${sql.literal(all.tables)} WHERE ${sql.and([...all.where, ...position])} ${order} LIMIT ${count}`
    const table = sql.literal(list.id.replace(/\..*/, ""))
    return sql<ListRow>`SELECT ${columns}${total} ${
      list.joins === undefined
        ? found
        : sql`FROM (SELECT ${table}.* ${found}) AS ${table} ${sql.literal(list.joins)} ${order}`
    }`
  }

  const readWindows = Effect.fnUntraced(function* (first: string | undefined) {
    const deadline = yield* FiberRef.get(requestDeadline)
    const rows: Array<ListRow> = []
    let start = first
    for (let size = firstWindow; ; size = nextWindow) {
      const end = yield* idAt(size, list.tables, [...list.where, ...between([id], start)])
      rows.push(...(yield* select(limit + 1 - rows.length, between(ids, start, end))))
      if (end === undefined || rows.length > limit) return { rows }
      if (deadline !== null && deadline.left() < minWindowsTime) return { rows, tested: end }
      start = end
    }
  })

  const read = (start: string | undefined): Effect.Effect<Found<ListRow>, SqlError> =>
    list.tests === undefined || list.tests.isShort
      ? Effect.map(select(limit + 1, between(ids, start)), (rows) => ({ rows }))
      : readWindows(start)

  const find = Effect.gen(function* () {
    if (skipped === 0) return yield* read(request.after)
    const skip = idAt(skipped, all.tables, all.where)
    const isSlow = list.tests !== undefined || !isNear(request)
    const start = yield* isSlow
      ? Effect.timeoutFail(skip, { duration: skipTimeout, onTimeout: () => outOfReach })
      : skip
    return start === undefined ? { rows: [] } : yield* read(start)
  })

  const { rows, tested } = yield* find
  const reached = (request.page - 1) * limit + rows.length
  const isComplete =
    request.after === undefined && tested === undefined && rows.length <= limit && (rows.length > 0 || skipped === 0)
  const counted = tested === undefined ? countTotal(sql, list) : Effect.succeed(maxCounted + 1)
  const matching = isComplete ? reached : (rows[0]?.list_total ?? (yield* counted))
  const isTotalEstimated = !isComplete && list.total === undefined && matching > maxCounted

  const shown = rows.slice(0, limit)
  return page(
    yield* readableRows(shown, list.read),
    isTotalEstimated ? Math.max(maxCounted, reached) : matching,
    request,
    { isTotalEstimated, lastId: tested ?? (rows.length > limit ? shown.at(-1)?.id : undefined) }
  )
})
