import type { SqlClient } from "@effect/sql"
import { ThreadCounts } from "@switchboard/domain/email/threads/Thread"
import type { ThreadFilters } from "@switchboard/domain/email/threads/ThreadRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Effect } from "effect"
import { firstIdAt } from "../../FirstIdAt.js"
import { found } from "../../Search.js"
import {
  conversationStatuses,
  hasMessages,
  threadColumns,
  threadFromRow,
  threadSums,
  threadTables
} from "./ThreadRows.js"

/** A page of an organization's threads, newest first, with the exact number of all that match. */
export const listThreads = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { participantId, search, status }: ThreadFilters,
  request: PageRequest
) {
  const tables = sql.literal(threadTables)
  const where = sql.and([
    sql`t.organization_id = ${organization}`,
    sql.literal(hasMessages),
    ...(status === undefined ? [] : [sql.in("c.status", conversationStatuses[status])]),
    ...(search === undefined ? [] : [found(sql, search, ["t.subject"])]),
    ...(participantId === undefined
      ? []
      : [
          sql`t.id IN (SELECT m.thread_id FROM message_participants AS p
              JOIN messages AS m ON m.organization_id = p.organization_id AND m.id = p.message_id
            WHERE p.organization_id = ${organization} AND p.participant_id = ${participantId})`
        ])
  ])
  // What is counted is counted for the page alone.
  const rows = yield* sql`SELECT ${sql.literal(threadColumns)}
    FROM (SELECT t.* FROM ${tables} WHERE ${where}
      ORDER BY t.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}) AS t
    JOIN conversations AS c ON c.organization_id = t.organization_id AND c.id = t.conversation_id
    ${sql.literal(threadSums)} ORDER BY t.id DESC`
  const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total FROM ${tables} WHERE ${where}`
  return page(yield* readableRows(rows, threadFromRow), count?.total ?? 0, request)
})

const sinceDays = (now: DateTime.Utc, days: number) => firstIdAt(DateTime.subtract(now, { days }))

/** How many threads of an organization there are, by status, and how many began lately. */
export const countThreads = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, organization: OrganizationId) {
  const now = yield* DateTime.now
  const [counts] = yield* sql<ThreadCounts>`SELECT count(*)::int AS "totalThreads",
      (count(*) FILTER (WHERE c.status NOT IN ('resolved', 'archived')))::int AS "activeThreads",
      (count(*) FILTER (WHERE c.status = 'resolved'))::int AS "resolvedThreads",
      (count(*) FILTER (WHERE c.status = 'archived'))::int AS "archivedThreads",
      (count(*) FILTER (WHERE t.id >= ${sinceDays(now, 7)}))::int AS "threadsLast7Days",
      (count(*) FILTER (WHERE t.id >= ${sinceDays(now, 30)}))::int AS "threadsLast30Days"
    FROM ${sql.literal(threadTables)} WHERE t.organization_id = ${organization} AND ${sql.literal(hasMessages)}`
  return new ThreadCounts({
    totalThreads: 0,
    activeThreads: 0,
    resolvedThreads: 0,
    archivedThreads: 0,
    threadsLast7Days: 0,
    threadsLast30Days: 0,
    ...counts
  })
})
