import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { maxCounted, type PageRequest } from "@switchboard/domain/Page"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { Array, DateTime, Effect } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { searchIds } from "../SearchIds.js"
import { countRows, selectPage } from "../SelectPage.js"
import { alsoMatches, type MessageCondition, messageConditions } from "./MessageFilters.js"
import { encodedFromRow, messageColumns } from "./MessageJson.js"
import { storedTotal } from "./MessageTotals.js"

const everyMessage = (sql: SqlClient.SqlClient): MessageCondition => ({
  table: "messages",
  alias: "m",
  id: "id",
  index: "ordered",
  matches: () => sql`true`
})

/** The tables of a page's rows without the one that is read in order. */
const rowTables = [
  { alias: "m", table: "messages", id: "id" },
  { alias: "s", table: "message_states", id: "message_id" }
]

/** The planner's estimate of the rows of a statement. */
interface Explained {
  readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: { readonly "Plan Rows": number } }>
}

/** A filter with the number of its matches: exact up to `maxCounted`, estimated above. */
interface Counted {
  readonly condition: MessageCondition
  readonly matches: number
  /** The ids of the matches, if an unordered index has found them. */
  readonly ids?: ReadonlyArray<string> | undefined
}

/** The newest ids up to the end of a page and one more, of all ids of a list. Their text has the order of the ids. */
const idsUpTo = ({ after, limit, page }: PageRequest, ids: ReadonlyArray<string>) =>
  ids
    .filter((id) => after === undefined || id < after)
    .sort()
    .reverse()
    .slice(0, page * limit + 1)

/** The filter that is read in order. */
const found = (sql: SqlClient.SqlClient, { condition, ids }: Counted): MessageCondition =>
  ids === undefined ? condition : { ...condition, matches: (m) => sql`${m}.id = ANY (${ids}::uuid[])` }

/**
 * A page of an organization's messages, newest first. The index of the filter with the fewest matches is read in order;
 * the other filters are tested by primary key. A filter with an unordered index and many matches is only tested: the
 * page is then near the start of any order.
 */
export const listMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filter: MessageFilter,
  request: PageRequest
) {
  const { endDate, startDate, ...values } = filter
  const where = (condition: MessageCondition) => {
    const alias = sql.literal(condition.alias)
    const id = sql.literal(`${condition.alias}.${condition.id}`)
    return [
      sql`${alias}.organization_id = ${organization}`,
      condition.matches(alias),
      ...(startDate === undefined ? [] : [sql`${id} >= ${firstIdAt(startDate)}`]),
      ...(endDate === undefined ? [] : [sql`${id} < ${firstIdAt(DateTime.add(endDate, { millis: 1 }))}`])
    ]
  }
  const count = Effect.fnUntraced(function* (condition: MessageCondition) {
    const matches = yield* countRows(sql, {
      id: `${condition.alias}.${condition.id}`,
      tables: `${condition.table} AS ${condition.alias}`,
      where: where(condition)
    })
    if (matches <= maxCounted) return { condition, matches }
    const [explained] = yield* sql<Explained>`EXPLAIN (FORMAT JSON) SELECT FROM ${sql.literal(condition.table)}
      AS ${sql.literal(condition.alias)} WHERE ${sql.and(where(condition))}`
    return { condition, matches: Math.max(matches, explained?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0) }
  })
  const find = (condition: MessageCondition) =>
    Effect.map(
      searchIds(sql, sql`SELECT m.id FROM messages AS m WHERE ${sql.and(where(condition))}`),
      (found): Counted => ({ condition, ...found })
    )

  const conditions = messageConditions(sql, organization, values)
  const counted: ReadonlyArray<Counted> = yield* Effect.forEach(conditions, (condition) =>
    condition.index === "unordered"
      ? find(condition)
      : condition.index === "none"
        ? Effect.succeed<Counted>({ condition, matches: Number.POSITIVE_INFINITY })
        : conditions.length === 1
          ? Effect.succeed<Counted>({ condition, matches: 0 })
          : count(condition)
  )
  const [tested, read] = Array.partition(
    counted,
    ({ condition, ids }) => condition.index === "ordered" || ids !== undefined
  )
  const [rarest, ...frequent] = read.toSorted((left, right) => left.matches - right.matches)
  const search = conditions.length === 1 ? counted.find(({ condition }) => condition.index === "unordered") : undefined
  const first =
    rarest === undefined
      ? everyMessage(sql)
      : found(sql, search?.ids === undefined ? rarest : { ...rarest, ids: idsUpTo(request, search.ids) })
  const others = [...frequent, ...tested].map(({ condition }) => condition)

  const id = `${first.alias}.${first.id}`
  const isAnyTime = startDate === undefined && endDate === undefined
  const total = isAnyTime && conditions.length < 2 ? storedTotal(sql, organization, values) : undefined
  return yield* selectPage(sql, request, {
    columns: messageColumns,
    tables: `${first.table} AS ${first.alias}`,
    joins: rowTables
      .filter(({ alias }) => alias !== first.alias)
      .map(
        (row) => `JOIN ${row.table} AS ${row.alias}
        ON ${row.alias}.organization_id = ${first.alias}.organization_id AND ${row.alias}.${row.id} = ${id}`
      )
      .join(" "),
    where: [...where(first), ...others.map((other) => alsoMatches(sql, organization, other, first))],
    id,
    read: encodedFromRow,
    hasTests: others.length > 0,
    total,
    prepared: others.length === 0 && first.index === "ordered" ? "list_messages" : undefined,
    // A search that took too long has counted nothing.
    counted: Number.isFinite(search?.matches) ? search?.matches : undefined
  })
})
