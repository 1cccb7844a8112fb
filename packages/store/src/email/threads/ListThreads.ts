import type { SqlClient } from "@effect/sql"
import { quarterAfter } from "@switchboard/domain/analytics/DateRange"
import { ThreadCounts } from "@switchboard/domain/email/threads/Thread"
import type { ThreadFilters } from "@switchboard/domain/email/threads/ThreadRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { DateTime, Effect } from "effect"
import { containsText, findsText } from "../../ContainsText.js"
import { firstIdAt } from "../../FirstIdAt.js"
import { searched } from "../../SearchIds.js"
import { selectPage } from "../../SelectPage.js"
import { threadColumns, threadFromRow, threadSums } from "./ThreadRows.js"

/** `threads AS t`, joined to a table of the list. */
const threads = "JOIN threads AS t ON t.organization_id = l.organization_id AND t.id = l.thread_id"

/**
 * A page of an organization's threads, newest first. Without a participant, the list is `thread_sums AS l`, otherwise
 * `thread_participants AS l`; both have the status.
 */
export const listThreads = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { participantId, search, status }: ThreadFilters,
  request: PageRequest
) {
  const listed = participantId === undefined ? "thread_sums AS l" : "thread_participants AS l"
  const stored = sql`COALESCE((SELECT ${sql.literal(status ?? "active + resolved + archived")} FROM thread_counts
    WHERE organization_id = ${organization}), 0)`
  const found = yield* searched(
    sql,
    "l.thread_id",
    search === undefined
      ? undefined
      : {
          select: sql`SELECT t.id FROM threads AS t
            WHERE t.organization_id = ${organization} AND ${findsText(sql, search, ["t.subject"])}`,
          tests: { joins: threads, where: [containsText(sql, search, ["t.subject"])] }
        }
  )
  return yield* selectPage(sql, request, {
    columns: threadColumns,
    tables: listed,
    joins: `${threads} ${threadSums}`,
    where: [
      sql`l.organization_id = ${organization}`,
      ...(participantId === undefined ? [] : [sql`l.participant_id = ${participantId}`]),
      ...(status === undefined ? [] : [sql`l.status = ${status}`]),
      ...found.where
    ],
    tests: found.tests,
    id: "l.thread_id",
    read: threadFromRow,
    total: participantId === undefined && search === undefined ? stored : undefined
  })
})

/**
 * The number of threads that began in the last days. Complete quarter hours are stored; in the incomplete one at the
 * start, rows are counted.
 */
const beganIn = (sql: SqlClient.SqlClient, organization: OrganizationId, now: DateTime.Utc, days: number) => {
  const start = DateTime.subtract(now, { days })
  const quarter = quarterAfter(start)
  return sql`(SELECT COALESCE(sum(threads), 0) FROM thread_quarters
      WHERE organization_id = ${organization} AND quarter >= ${DateTime.toDateUtc(quarter)})
    + (SELECT count(*) FROM thread_sums
      WHERE organization_id = ${organization} AND thread_id >= ${firstIdAt(start)} AND thread_id < ${firstIdAt(quarter)})`
}

const noThreads = {
  totalThreads: 0,
  activeThreads: 0,
  resolvedThreads: 0,
  archivedThreads: 0,
  threadsLast7Days: 0,
  threadsLast30Days: 0
}

/** The number of an organization's threads by status, and of those created in the last 7 and 30 days. */
export const countThreads = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, organization: OrganizationId) {
  const now = yield* DateTime.now
  const [counts] = yield* sql<ThreadCounts>`SELECT (active + resolved + archived)::int AS "totalThreads",
      active::int AS "activeThreads", resolved::int AS "resolvedThreads", archived::int AS "archivedThreads",
      (${beganIn(sql, organization, now, 7)})::int AS "threadsLast7Days",
      (${beganIn(sql, organization, now, 30)})::int AS "threadsLast30Days"
    FROM thread_counts WHERE organization_id = ${organization}`
  return new ThreadCounts({ ...noThreads, ...counts })
})
