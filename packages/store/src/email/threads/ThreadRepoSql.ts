import { SqlClient } from "@effect/sql"
import type { Thread, ThreadId } from "@switchboard/domain/email/threads/Thread"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts } from "../../database/Unavailable.js"
import { type MessageRow, messageColumns, messageFromRow, messageTables } from "../../messages/MessageRows.js"
import { countThreads, listThreads } from "./ListThreads.js"
import { threadColumns, threadFromRow, threadSums, threadTables } from "./ThreadRows.js"

/** Threads in the table `threads`, and in their messages. */
export const ThreadRepoSql = Layer.effect(
  ThreadRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const first = ([row]: ReadonlyArray<object>): Option.Option<Thread> =>
      Option.map(Option.fromNullable(row), threadFromRow)

    const find = (organization: OrganizationId, id: ThreadId) =>
      Effect.map(
        sql`SELECT ${sql.literal(threadColumns)} FROM ${sql.literal(threadTables)} ${sql.literal(threadSums)}
          WHERE t.organization_id = ${organization} AND t.id = ${id}`,
        first
      )

    const messages = Effect.fnUntraced(function* (organization: OrganizationId, id: ThreadId, request: PageRequest) {
      const where = sql`m.organization_id = ${organization} AND m.thread_id = ${id}`
      const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total FROM messages AS m WHERE ${where}`
      const total = count?.total ?? 0
      if (total === 0) return Option.none()
      const rows = yield* sql<MessageRow>`SELECT ${sql.literal(messageColumns)} FROM ${sql.literal(messageTables)}
        WHERE ${where} ORDER BY m.id LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
      return Option.some(page(yield* readableRows(rows, messageFromRow), total, request))
    })

    return {
      counts: (organization) => forCaller(countThreads(sql, organization)),
      list: (organization, filters, request) => forCaller(listThreads(sql, organization, filters, request)),
      find: (organization, id) => forCaller(find(organization, id)),
      findByMessage: (organization, message) =>
        sql`SELECT ${sql.literal(threadColumns)} FROM ${sql.literal(threadTables)} ${sql.literal(threadSums)}
          WHERE t.organization_id = ${organization} AND t.id = (SELECT m.thread_id FROM messages AS m
            WHERE m.organization_id = ${organization} AND m.id = ${message})`.pipe(Effect.map(first), forCaller),
      messages: (organization, id, request) => forCaller(messages(organization, id, request)),
      // Never back: of two who read at once, one may have seen more.
      markRead: (organization, id) =>
        sql`UPDATE threads AS t SET read_up_to = l.id, updated_at = now()
          FROM (SELECT m.id FROM messages AS m WHERE m.organization_id = ${organization} AND m.thread_id = ${id}
            ORDER BY m.id DESC LIMIT 1) AS l
          WHERE t.organization_id = ${organization} AND t.id = ${id}
            AND (t.read_up_to IS NULL OR t.read_up_to < l.id)`.pipe(
          Effect.zipRight(find(organization, id)),
          retryConflicts,
          forCaller
        )
    }
  })
)
