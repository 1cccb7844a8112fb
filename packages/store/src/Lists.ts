import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { BadRequestError } from "@switchboard/domain/Errors"
import { maxCounted, type PageRequest, page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import { requestDeadline, requestTimeout } from "@switchboard/services/RequestDeadline"
import { Array, Effect, FiberRef, identity } from "effect"

/** Conditions that the index of a list does not have: few of many rows may meet them. */
interface Tests {
  /** Joins to tables that the conditions name. */
  readonly joins?: string
  /** Columns of these tables with the value of the list's id, whose indexes have its order. */
  readonly ids?: ReadonlyArray<string>
  readonly where: ReadonlyArray<Fragment>
  /** The same conditions in a form that indexes of another order serve. The default is `where`. */
  readonly indexed?: ReadonlyArray<Fragment> | undefined
}

/** A list in the order of its ids. Ids are UUIDv7: their order is the order of creation. */
interface List<Row, A> {
  /** The columns of a row, among them `id`: of the table of `id` and of `joins`, or without `joins` of all tables. */
  readonly columns: string
  /** The tables that `where` names, with their aliases. */
  readonly tables: string
  /**
   * Joins to the table of `id` that only the rows of the page need. The page is found before them: the statistics of a
   * new table let PostgreSQL expect few rows of an organization, and it would join all of them.
   */
  readonly joins?: string
  /** Conditions that one index has in the order of the list. */
  readonly where: ReadonlyArray<Fragment>
  readonly tests?: Tests | undefined
  /** The column of the id, with its alias. */
  readonly id: string
  /** The default is the newest first. */
  readonly oldestFirst?: boolean
  readonly read: (row: Row) => A
  /** SQL: the total, if it is stored. Otherwise matching rows are counted up to `maxCounted`. */
  readonly total?: Fragment | undefined
}

/** The numbers of rows in which conditions are tested: few at first, because most pages are complete then. */
const firstWindow = 1_000
const nextWindow = 5_000

/** The remaining part of a request's time from which no further window is tested, in milliseconds. */
const minWindowsTime = requestTimeout * 0.4

/** The part of a request's time in which matches are counted or found by any index, in milliseconds. */
const countTimeout = requestTimeout * 0.18

/** The part of a request's time in which a page number is found, in milliseconds. */
const skipTimeout = requestTimeout * 0.6

/** Skipped items, from which a timeout is due to the number of the page. */
const minSlowSkip = 10_000

const outOfReach = new BadRequestError({
  message:
    "The page is too far from the start of the list: follow the Link header of an earlier page, or shorten the time range"
})

/** The number of items before a page that is found by its number. */
export const skippedItems = ({ after, limit, page }: PageRequest): number =>
  after === undefined ? (page - 1) * limit : 0

/** Fails if a page with many items before it is not found in time. */
export const withinReach =
  (request: PageRequest, minSkipped = minSlowSkip) =>
  <A, E, R>(find: Effect.Effect<A, E, R>): Effect.Effect<A, E | BadRequestError, R> =>
    skippedItems(request) < minSkipped
      ? find
      : Effect.timeoutFail(find, { duration: skipTimeout, onTimeout: () => outOfReach })

/** The rows of a page, and one more if another row follows. */
interface Found<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The total, if the matches were found by any index. */
  readonly matches?: number
  /** The last id that was tested, if the time was over before the page was complete. */
  readonly tested?: string
}

/**
 * A page of a list with its total. One row more than the page has is read, to find whether another page follows.
 *
 * Without tests, the index of the list is read from the cursor. For a page number, the id before the page is found
 * first, without reading skipped rows. The total is stored, or counted in the index.
 *
 * With tests, up to `maxCounted` matches are found by any index: they are the total, and contain the page. If there are
 * more, or if finding them takes too long, rows are tested in the order of the list, in windows until the page is
 * complete. After some time it ends with the window: the next page continues there.
 */
const selectPageAfter = Effect.fnUntraced(function* <Row extends object, A>(
  sql: SqlClient.SqlClient,
  request: PageRequest,
  list: List<Row, A>
) {
  type ListRow = Row & { readonly id: string; readonly list_total?: number }
  const { limit } = request
  const { tests } = list
  const id = sql.literal(list.id)
  const ids = [id, ...(tests?.ids ?? []).map((column) => sql.literal(column))]
  const tables = sql.literal(list.tables)
  const allTables = sql.literal(`${list.tables} ${tests?.joins ?? ""}`)
  const where = [...list.where, ...(tests?.where ?? [])]
  const [direction, after, upTo] = list.oldestFirst ? [sql`ASC`, sql`>`, sql`<=`] : [sql`DESC`, sql`<`, sql`>=`]
  const order = sql`ORDER BY ${id} ${direction}`
  const skipped = skippedItems(request)

  /** The conditions that all these columns are after an id, and up to another one. */
  const between = (columns: ReadonlyArray<Fragment>, start: string | undefined, end?: string) =>
    columns.flatMap((column) => [
      ...(start === undefined ? [] : [sql`${column} ${after} ${start}`]),
      ...(end === undefined ? [] : [sql`${column} ${upTo} ${end}`])
    ])

  const stored = list.total === undefined ? sql.literal("") : sql`, (${list.total})::float8 AS list_total`
  const select = (count: number, from: Fragment, conditions: ReadonlyArray<Fragment>) => {
    const found = sql`FROM ${from} WHERE ${sql.and(conditions)} ${order} LIMIT ${count}`
    const table = sql.literal(list.id.replace(/\..*/, ""))
    return sql<ListRow>`SELECT ${sql.literal(list.columns)}${stored} ${
      list.joins === undefined
        ? found
        : sql`FROM (SELECT ${table}.* ${found}) AS ${table} ${sql.literal(list.joins)} ${order}`
    }`
  }

  /** The id of the last of a number of rows; undefined if there are fewer. */
  const idAt = (rows: number, from: Fragment, conditions: ReadonlyArray<Fragment>) =>
    sql<{ id: string }>`SELECT ${id} AS id FROM ${from} WHERE ${sql.and(conditions)} ${order}
      OFFSET ${rows - 1} LIMIT 1`.pipe(Effect.map(([row]) => row?.id))

  const findMatches = (conditions: ReadonlyArray<Fragment>) =>
    sql<{ matches: number; ids: ReadonlyArray<string> }>`WITH found AS MATERIALIZED (
        SELECT ${id} AS id FROM ${allTables} WHERE ${sql.and(conditions)} LIMIT ${maxCounted + 1}
      )
      SELECT count(*)::int AS matches, ARRAY(
        SELECT id FROM found WHERE ${sql.and([sql`true`, ...between([sql`id`], request.after)])}
        ORDER BY id ${direction} OFFSET ${skipped} LIMIT ${limit + 1}
      ) AS ids FROM found`.pipe(
      Effect.map(Array.filter(({ matches }) => matches <= maxCounted)),
      Effect.timeoutTo({ duration: countTimeout, onSuccess: identity, onTimeout: () => [] })
    )

  const testRows = Effect.fnUntraced(function* (first: string | undefined) {
    const deadline = yield* FiberRef.get(requestDeadline)
    const rows: Array<ListRow> = []
    let start = first
    for (let size = firstWindow; ; size = nextWindow) {
      const end = yield* idAt(size, tables, [...list.where, ...between([id], start)])
      rows.push(...(yield* select(limit + 1 - rows.length, allTables, [...where, ...between(ids, start, end)])))
      if (end === undefined || rows.length > limit) return { rows }
      if (deadline !== null && deadline.left() < minWindowsTime) return { rows, tested: end }
      start = end
    }
  })

  const readAfter = (start: string | undefined): Effect.Effect<Found<ListRow>, SqlError> =>
    tests === undefined
      ? Effect.map(select(limit + 1, tables, [...where, ...between(ids, start)]), (rows) => ({ rows }))
      : testRows(start)

  const find = Effect.gen(function* () {
    const [found] = tests === undefined ? [] : yield* findMatches([...list.where, ...(tests.indexed ?? tests.where)])
    if (found !== undefined) {
      const rows = yield* select(limit + 1, tables, [...list.where, sql`${id} = ANY (${found.ids}::uuid[])`])
      return { rows, matches: found.matches }
    }
    if (skipped === 0) return yield* readAfter(request.after)
    const start = yield* withinReach(request, tests === undefined ? minSlowSkip : 1)(idAt(skipped, allTables, where))
    return start === undefined ? { rows: [] } : yield* readAfter(start)
  })

  /** The stored total, or the number of index entries up to one more than `maxCounted`, which also follows a timeout. */
  const countTotal =
    list.total === undefined
      ? Effect.timeoutTo(
          sql<{ total: number }>`SELECT count(*)::int AS total FROM (
            SELECT FROM ${tables} WHERE ${sql.and(where)} ${order} LIMIT ${maxCounted + 1}
          ) AS matching`,
          { duration: countTimeout, onSuccess: identity, onTimeout: () => [{ total: maxCounted + 1 }] }
        )
      : sql<{ total: number }>`SELECT (${list.total})::float8 AS total`

  const { matches, rows, tested }: Found<ListRow> = yield* find
  const isEnd = tested === undefined && rows.length <= limit
  const reached = (request.page - 1) * limit + rows.length
  // The position of the last item of the list is the total.
  const isTotal = request.after === undefined && isEnd && (rows.length > 0 || skipped === 0)
  const known = matches ?? (isTotal ? reached : tests === undefined ? rows[0]?.list_total : maxCounted + 1)
  const total = known ?? (yield* countTotal)[0]?.total ?? 0
  const isTotalEstimated = !isTotal && list.total === undefined && total > maxCounted

  const shown = rows.slice(0, limit)
  return page(
    yield* readableRows(shown, list.read),
    isTotalEstimated ? Math.max(maxCounted, reached) : total,
    request,
    { isTotalEstimated, lastId: tested ?? (isEnd ? undefined : shown.at(-1)?.id) }
  )
})

/** A page of a list with its total. The page before an item is read in reverse order: `next` is then before the page. */
export const selectPage = <Row extends object, A>(
  sql: SqlClient.SqlClient,
  { before, ...request }: PageRequest,
  list: List<Row, A>
) =>
  before === undefined
    ? selectPageAfter(sql, request, list)
    : Effect.map(
        selectPageAfter(sql, { ...request, after: before }, { ...list, oldestFirst: list.oldestFirst !== true }),
        (page) => ({ ...page, items: page.items.toReversed() })
      )
