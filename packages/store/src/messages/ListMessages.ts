import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { maxCounted, type PageRequest } from "@switchboard/domain/Page"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { Array, Effect } from "effect"
import { selectPage } from "../SelectPage.js"
import { type Counted, countMatches } from "./CountMatches.js"
import {
  alsoMatches,
  conditionsIn,
  everyMessage,
  idOf,
  isSameRow,
  type MessageCondition,
  type MessageTable,
  tableOf
} from "./MessageFilters.js"
import { encodedFromRow, messageColumns } from "./MessageJson.js"
import { storedTotal } from "./MessageTotals.js"
import type { MessageLists } from "./PagesTogether.js"

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
