import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { maxCounted, type PageRequest } from "@switchboard/domain/Page"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { Array, Effect } from "effect"
import { searchIds, searchTimeout } from "../SearchIds.js"
import { countRows, selectPage } from "../SelectPage.js"
import {
  alsoMatches,
  conditionsIn,
  everyMessage,
  idOf,
  isSameRow,
  type MessageCondition,
  type MessageTable,
  messageConditions,
  tableOf
} from "./MessageFilters.js"
import { encodedFromRow, messageColumns } from "./MessageJson.js"
import { storedTotal } from "./MessageTotals.js"
import type { MessageLists } from "./PagesTogether.js"

/** The newest messages that are tested before a search by an unordered index. */
const probedMessages = 1_000

/**
 * The matches among them from which the condition is tested in the order of the list: an unordered index reads all
 * matches of the organization.
 */
const minFrequent = 100

/** The planner's estimate of the rows of a statement. */
interface Explained {
  readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: { readonly "Plan Rows": number } }>
}

/** A filter with the number of its matches: exact up to `maxCounted`, estimated above, infinite if it is only tested. */
interface Counted {
  readonly condition: MessageCondition
  readonly matches: number
  /** The ids of the matches, if an unordered index has found them. */
  readonly ids?: ReadonlyArray<string> | undefined
}

/** Counts the matches of each filter, to find in which order a list reads them. The only filter is counted if it must be. */
const countMatches = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filter: MessageFilter
): Effect.Effect<ReadonlyArray<Counted>, SqlError> => {
  const where = conditionsIn(sql, organization, filter)
  const conditions = messageConditions(sql, organization, filter)
  const isOnly = conditions.length === 1

  const whereIndexed = (condition: MessageCondition) => [
    ...where(condition),
    ...(condition.mayMatch === undefined ? [] : [condition.mayMatch(condition.alias)])
  ]

  const count = (condition: MessageCondition, timeout?: number) =>
    countRows(sql, { id: idOf(condition), tables: tableOf(condition), where: whereIndexed(condition) }, timeout)

  const estimate = Effect.fnUntraced(function* (condition: MessageCondition) {
    const matches = yield* count(condition)
    if (matches <= maxCounted) return { condition, matches }
    const [explained] = yield* sql<Explained>`EXPLAIN (FORMAT JSON) SELECT FROM ${sql.literal(tableOf(condition))}
      WHERE ${sql.and(where(condition))}`
    return { condition, matches: Math.max(matches, explained?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0) }
  })

  const search = Effect.fnUntraced(function* (condition: MessageCondition) {
    const [probe] = yield* sql<{ matches: number }>`SELECT count(*)::int AS matches FROM (
        SELECT m.subject_line, m.content, m.addressing, m.external_id, m.reference_id, m.direction
        FROM messages AS m WHERE ${sql.and(where(everyMessage(sql)))}
        ORDER BY m.id DESC LIMIT ${probedMessages}
      ) AS m WHERE ${condition.matches("m")}`
    if ((probe?.matches ?? 0) >= minFrequent) {
      return { condition, matches: isOnly ? yield* count(condition, searchTimeout) : Number.POSITIVE_INFINITY }
    }
    const found = yield* searchIds(sql, sql`SELECT m.id FROM messages AS m WHERE ${sql.and(whereIndexed(condition))}`)
    return { condition, ...found }
  })

  return Effect.forEach(conditions, (condition) => {
    switch (condition.index) {
      case "unordered":
        return search(condition)
      case "none":
        return Effect.succeed({ condition, matches: Number.POSITIVE_INFINITY })
      case "ordered":
        return isOnly ? Effect.succeed({ condition, matches: 0 }) : estimate(condition)
    }
  })
}

/** All messages of an organization, whose id is the key. */
export const allMessages: MessageLists = {
  name: "list_messages",
  where: "true",
  total: "coalesce((SELECT messages_kept FROM organization_usage WHERE organization_id = l.key), 0)"
}

/** The tables of a page's rows without the one that is read in order. */
const rowTables: ReadonlyArray<MessageTable> = [
  { alias: "m", table: "messages", id: "id" },
  { alias: "s", table: "message_states", id: "message_id" }
]

/** The entries of an index that are read in order in the time of one look-up by primary key. */
const entriesPerLookup = 10

/** The newest ids up to the end of a page and one more, of all ids of a list. Their text has the order of the ids. */
const idsUpTo = ({ after, limit, page }: PageRequest, ids: ReadonlyArray<string>) =>
  ids
    .filter((id) => after === undefined || id < after)
    .sort()
    .reverse()
    .slice(0, page * limit + 1)

/** The filter that is read in order. */
const found = (sql: SqlClient.SqlClient, { condition, ids }: Counted): MessageCondition =>
  ids === undefined ? condition : { ...condition, matches: (m) => sql`${sql.literal(m)}.id = ANY (${ids}::uuid[])` }

/**
 * A page of an organization's messages, newest first. The index of the filter with the fewest matches is read in order.
 * The indexes of filters with not many more matches are read in the same order (a merge join); the other filters are
 * tested by primary key. A filter with an unordered index and many matches is only tested: the page is then near the
 * start of any order.
 */
export const listMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filter: MessageFilter,
  request: PageRequest
) {
  const { endDate, startDate, ...values } = filter
  const where = conditionsIn(sql, organization, filter)
  const counted = yield* countMatches(sql, organization, filter)
  const [tested, read] = Array.partition(
    counted,
    ({ condition, ids }) => condition.index === "ordered" || ids !== undefined
  )
  const [rarest, ...frequent] = read.toSorted((left, right) => left.matches - right.matches)
  const search = counted.length === 1 ? counted.find(({ condition }) => condition.index === "unordered") : undefined
  const first =
    rarest === undefined
      ? everyMessage(sql)
      : found(sql, search?.ids === undefined ? rarest : { ...rarest, ids: idsUpTo(request, search.ids) })
  const maxMerged = rarest === undefined || rarest.ids !== undefined ? 0 : entriesPerLookup * rarest.matches
  const [single, merged] = Array.partition(
    frequent,
    ({ condition, ids, matches }) => ids === undefined && matches <= maxMerged && !isSameRow(condition, first)
  )
  const others = [...single, ...tested].map(({ condition }) => condition)
  const joined = merged.map(({ condition }, index) => ({ ...condition, alias: `o${index}` }))
  const isSingle = others.length + joined.length === 0
  const joinedTo = (row: MessageTable) =>
    `JOIN ${tableOf(row)} ON ${row.alias}.organization_id = ${first.alias}.organization_id AND ${idOf(row)} = ${idOf(first)}`

  const isAnyTime = startDate === undefined && endDate === undefined
  const total = isAnyTime && counted.length < 2 ? storedTotal(sql, organization, values) : undefined
  return yield* selectPage(sql, request, {
    columns: messageColumns,
    tables: tableOf(first),
    joins: rowTables
      .filter(({ alias }) => alias !== first.alias)
      .map(joinedTo)
      .join(" "),
    where: where(first),
    tests: isSingle
      ? undefined
      : {
          joins: joined.map(joinedTo).join(" "),
          where: [
            ...joined.flatMap(where),
            ...others.map((other) => alsoMatches(sql, organization, other, first, joined))
          ],
          ids: joined.map(idOf),
          isShort: rarest !== undefined && rarest.matches <= maxCounted
        },
    id: idOf(first),
    read: encodedFromRow,
    total,
    // A search that took too long has counted nothing.
    counted: Number.isFinite(search?.matches) ? search?.matches : undefined
  })
})
