import { SqlClient } from "@effect/sql"
import { quarterAfter } from "@switchboard/domain/analytics/DateRange"
import { Thread, ThreadCounts, type ThreadFilters, ThreadId } from "@switchboard/domain/email/threads/Thread"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { forRequest, retryConflicts } from "../../database/Unavailable.js"
import { filtered, filterOn, type Source, searchOn } from "../../Filters.js"
import { firstIdAt } from "../../FirstIdAt.js"
import { selectPage } from "../../Lists.js"
import { type MessageLists, pagesTogether } from "../../messages/MessageLists.js"
import { participantJson } from "../../participants/ParticipantRows.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    ...Thread.fields,
    id: ThreadId,
    firstMessageAt: Schema.DateTimeUtcFromDate,
    lastMessageAt: Schema.DateTimeUtcFromDate,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

/**
 * Joined to `threads AS t`: their sums `AS s`. A thread is hidden when all its messages are deleted: it then has no
 * sums.
 */
const threadSums = "JOIN thread_sums AS s ON s.organization_id = t.organization_id AND s.thread_id = t.id"

/** The columns of `threads AS t` and `threadSums` for `threadFromRow`. */
const threadColumns = `t.id, t.organization_id AS "organizationId", t.conversation_id AS "conversationId",
  t.subject, s.status, s.messages AS "messageCount", s.unread AS "unreadCount", s.first_at AS "firstMessageAt",
  s.last_at AS "lastMessageAt", s.last_direction AS "lastMessageDirection", s.with_attachments > 0 AS "hasAttachments",
  t.created_at AS "createdAt", greatest(t.updated_at, s.last_at) AS "updatedAt",
  (SELECT COALESCE(json_agg(${participantJson} ORDER BY p.id), '[]') FROM thread_participants AS o
      JOIN participants AS p ON p.organization_id = o.organization_id AND p.id = o.participant_id
    WHERE o.organization_id = t.organization_id AND o.thread_id = t.id) AS participants`

/** Decodes a thread. */
const threadFromRow = (row: object): Thread => new Thread(decode(row), { disableValidation: true })

const threads: Source = { table: "threads", alias: "t", id: "id" }
const sums: Source = { table: "thread_sums", alias: "s", id: "thread_id" }

/** A page of an organization's threads, newest first. The sums and the participants of threads have the status. */
const listThreads = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { participantId, search, status }: ThreadFilters,
  request: PageRequest
) => {
  const listed: Source = {
    table: participantId === undefined ? "thread_sums" : "thread_participants",
    alias: "l",
    id: "thread_id"
  }
  const conditions = [
    ...(participantId === undefined ? [] : [sql`l.participant_id = ${participantId}`]),
    ...(status === undefined ? [] : [sql`l.status = ${status}`])
  ]
  const stored = sql`COALESCE((SELECT ${sql.literal(status ?? "active + resolved + archived")} FROM thread_counts
    WHERE organization_id = ${organization}), 0)`
  return selectPage(sql, request, {
    ...filtered(sql, organization, {
      all: listed,
      ordered: conditions.length === 0 ? [] : filterOn(listed, conditions, sql.and),
      tests: searchOn(sql, threads, search, ["t.subject"]),
      rows: [threads, sums]
    }),
    columns: threadColumns,
    read: threadFromRow,
    total: participantId === undefined && search === undefined ? stored : undefined
  })
}

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
const countThreads = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, organization: OrganizationId) {
  const now = yield* DateTime.now
  const [counts] = yield* sql<ThreadCounts>`SELECT (active + resolved + archived)::int AS "totalThreads",
      active::int AS "activeThreads", resolved::int AS "resolvedThreads", archived::int AS "archivedThreads",
      (${beganIn(sql, organization, now, 7)})::int AS "threadsLast7Days",
      (${beganIn(sql, organization, now, 30)})::int AS "threadsLast30Days"
    FROM thread_counts WHERE organization_id = ${organization}`
  return new ThreadCounts({ ...noThreads, ...counts })
})

/** The messages of threads, whose ids are the keys. */
export const threadMessages: MessageLists = {
  name: "list_thread_messages",
  where: "m.thread_id = l.key",
  total: "SELECT messages FROM thread_sums WHERE organization_id = $1::uuid AND thread_id = l.key",
  oldestFirst: true
}

/** Threads in the table `threads`, and their messages. */
export const ThreadRepoSql = Layer.scoped(
  ThreadRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const first = ([row]: ReadonlyArray<object>): Option.Option<Thread> =>
      Option.map(Option.fromNullable(row), threadFromRow)

    const find = (organization: OrganizationId, id: ThreadId) =>
      Effect.map(
        sql`SELECT ${sql.literal(threadColumns)} FROM threads AS t ${sql.literal(threadSums)}
          WHERE t.organization_id = ${organization} AND t.id = ${id}`,
        first
      )

    const listMessages = yield* pagesTogether(sql, threadMessages)

    return {
      counts: (organization) => forRequest(countThreads(sql, organization)),
      list: (organization, filters, request) => forRequest(listThreads(sql, organization, filters, request)),
      find: (organization, id) => forRequest(find(organization, id)),
      findByMessage: (organization, message) =>
        sql`SELECT ${sql.literal(threadColumns)} FROM threads AS t ${sql.literal(threadSums)}
          WHERE t.organization_id = ${organization} AND t.id = (SELECT m.thread_id FROM messages AS m
            WHERE m.organization_id = ${organization} AND m.id = ${message})`.pipe(Effect.map(first), forRequest),
      messages: (organization, id, request) =>
        Effect.map(listMessages(organization, id, request), ({ isList, page }) =>
          isList ? Option.some(page) : Option.none()
        ),
      // Moves only forward: a concurrent request may have read newer messages.
      markRead: (organization, id) =>
        sql`UPDATE threads AS t SET read_up_to = s.last_id, updated_at = now() FROM thread_sums AS s
          WHERE t.organization_id = ${organization} AND t.id = ${id}
            AND s.organization_id = ${organization} AND s.thread_id = ${id}
            AND (t.read_up_to IS NULL OR t.read_up_to < s.last_id)`.pipe(
          Effect.zipRight(find(organization, id)),
          retryConflicts,
          forRequest
        )
    }
  })
)
