import { SqlClient } from "@effect/sql"
import {
  Thread,
  ThreadCounts,
  type ThreadFilters,
  ThreadId,
  type ThreadStatus
} from "@switchboard/domain/email/threads/Thread"
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

/** The messages of `threads AS t`. The index `messages_thread` has all columns that are read here. */
const messagesOf = "messages AS m WHERE m.organization_id = t.organization_id AND m.thread_id = t.id"

/** Joined to `threads AS t`: the sums `s`, the first message `f`, the last message `e`. A thread has messages. */
const threadSums = `CROSS JOIN LATERAL (
    SELECT count(*)::int AS messages, bool_or(m.attachment_count > 0) AS has_attachments,
      (count(*) FILTER (WHERE m.direction = 'inbound' AND (t.read_up_to IS NULL OR m.id > t.read_up_to)))::int AS unread
    FROM ${messagesOf}
  ) AS s
  CROSS JOIN LATERAL (SELECT m.created_at FROM ${messagesOf} ORDER BY m.id LIMIT 1) AS f
  CROSS JOIN LATERAL (SELECT m.created_at, m.direction FROM ${messagesOf} ORDER BY m.id DESC LIMIT 1) AS e`

/** The columns of `threads AS t` and `threadSums` for `threadFromRow`. */
const threadColumns = `t.id, t.organization_id AS "organizationId", t.conversation_id AS "conversationId",
  t.subject, t.status, s.messages AS "messageCount", s.unread AS "unreadCount", f.created_at AS "firstMessageAt",
  e.created_at AS "lastMessageAt", e.direction AS "lastMessageDirection", s.has_attachments AS "hasAttachments",
  t.created_at AS "createdAt", greatest(t.updated_at, e.created_at) AS "updatedAt",
  (SELECT COALESCE(json_agg(${participantJson} ORDER BY p.id), '[]')
    FROM (SELECT DISTINCT unnest(m.from_participant_id || m.to_participant_ids) AS id FROM ${messagesOf}) AS o
      JOIN participants AS p ON p.organization_id = t.organization_id AND p.id = o.id) AS participants`

/** Decodes a thread. */
const threadFromRow = (row: object): Thread => new Thread(decode(row), { disableValidation: true })

const threads: Source = { table: "threads", alias: "t", id: "id" }

/** The threads of each participant, from the messages that name it. */
const participantThreads: Source = {
  table: `(SELECT DISTINCT organization_id, participant_id, thread_id FROM message_participants
    WHERE thread_id IS NOT NULL ORDER BY thread_id DESC)`,
  alias: "l",
  id: "thread_id"
}

/** SQL: the number of threads in `organization_usage`, of a status or of all. */
const storedCount = (status: ThreadStatus | undefined) =>
  status === undefined ? "active_threads + resolved_threads + archived_threads" : `${status}_threads`

/** A page of an organization's threads, newest first. */
const listThreads = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { participantId, search, status }: ThreadFilters,
  request: PageRequest
) => {
  const list = filtered(sql, organization, {
    all: threads,
    ordered: [
      ...filterOn(participantThreads, participantId, (value) => sql`l.participant_id = ${value}`),
      ...filterOn(threads, status, (value) => sql`t.status = ${value}`)
    ],
    tests: searchOn(sql, threads, search, ["t.subject"]),
    rows: [threads]
  })
  const stored = sql`COALESCE((SELECT ${sql.literal(storedCount(status))} FROM organization_usage
    WHERE organization_id = ${organization}), 0)`
  return selectPage(sql, request, {
    ...list,
    joins: `${list.joins} ${threadSums}`,
    columns: threadColumns,
    read: threadFromRow,
    total: participantId === undefined && search === undefined ? stored : undefined
  })
}

const noThreads = {
  totalThreads: 0,
  activeThreads: 0,
  resolvedThreads: 0,
  archivedThreads: 0,
  threadsLast7Days: 0,
  threadsLast30Days: 0
}

/** The number of an organization's threads by status, and of the threads of the last 7 and 30 days. */
const countThreads = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, organization: OrganizationId) {
  const now = yield* DateTime.now
  const beganIn = (days: number) =>
    sql`(SELECT count(*)::int FROM threads
      WHERE organization_id = ${organization} AND id >= ${firstIdAt(DateTime.subtract(now, { days }))})`
  const [counts] = yield* sql<ThreadCounts>`SELECT ${sql.literal(storedCount(undefined))} AS "totalThreads",
      active_threads AS "activeThreads", resolved_threads AS "resolvedThreads", archived_threads AS "archivedThreads",
      ${beganIn(7)} AS "threadsLast7Days", ${beganIn(30)} AS "threadsLast30Days"
    FROM organization_usage WHERE organization_id = ${organization}`
  return new ThreadCounts({ ...noThreads, ...counts })
})

/** The messages of threads, whose ids are the keys. */
export const threadMessages: MessageLists = {
  name: "list_thread_messages",
  where: "m.thread_id = l.key",
  total: `SELECT NULLIF(count(*), 0) FROM messages AS m WHERE m.organization_id = $1::uuid AND m.thread_id = l.key`,
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
        sql`UPDATE threads AS t SET read_up_to = l.id, updated_at = now() FROM (
            SELECT m.id FROM messages AS m WHERE m.organization_id = ${organization} AND m.thread_id = ${id}
            ORDER BY m.id DESC LIMIT 1
          ) AS l WHERE t.organization_id = ${organization} AND t.id = ${id}
            AND (t.read_up_to IS NULL OR t.read_up_to < l.id)`.pipe(
          Effect.zipRight(find(organization, id)),
          retryConflicts,
          forRequest
        )
    }
  })
)
