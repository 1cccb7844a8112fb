import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { maxCounted } from "@switchboard/domain/Page"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { Effect } from "effect"
import { searchIds, searchTimeout } from "../SearchIds.js"
import { countRows } from "../SelectPage.js"
import {
  conditionsIn,
  everyMessage,
  idOf,
  type MessageCondition,
  messageConditions,
  tableOf
} from "./MessageFilters.js"

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
export interface Counted {
  readonly condition: MessageCondition
  readonly matches: number
  /** The ids of the matches, if an unordered index has found them. */
  readonly ids?: ReadonlyArray<string> | undefined
}

/** Counts the matches of each filter, to find in which order a list reads them. The only filter is counted if it must be. */
export const countMatches = (
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
