import { SqlClient } from "@effect/sql"
import type { Thread, ThreadId } from "@switchboard/domain/email/threads/Thread"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import { Effect, Layer, Option } from "effect"
import { forRequest, retryConflicts } from "../../database/Unavailable.js"
import { encodedFromRow, messageColumns } from "../../messages/MessageJson.js"
import { messageStates } from "../../messages/MessageRows.js"
import { type MessageLists, pagesTogether } from "../../messages/PagesTogether.js"
import { isNear, selectPage } from "../../SelectPage.js"
import { countThreads, listThreads } from "./ListThreads.js"
import { threadColumns, threadFromRow, threadSums } from "./ThreadRows.js"

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

    const listNear = yield* pagesTogether(sql, threadMessages)
    const listFar = Effect.fnUntraced(function* (organization: OrganizationId, id: ThreadId, request: PageRequest) {
      const [sums] = yield* sql<{ messages: number }>`SELECT messages FROM thread_sums
        WHERE organization_id = ${organization} AND thread_id = ${id}`
      if (sums === undefined) return Option.none()
      const found = yield* selectPage(sql, request, {
        columns: messageColumns,
        tables: "messages AS m",
        joins: messageStates,
        where: [sql`m.organization_id = ${organization} AND m.thread_id = ${id}`],
        id: "m.id",
        oldestFirst: true,
        read: encodedFromRow,
        total: sql`${sums.messages}`
      })
      return Option.some(found)
    })

    return {
      counts: (organization) => forRequest(countThreads(sql, organization)),
      list: (organization, filters, request) => forRequest(listThreads(sql, organization, filters, request)),
      find: (organization, id) => forRequest(find(organization, id)),
      findByMessage: (organization, message) =>
        sql`SELECT ${sql.literal(threadColumns)} FROM threads AS t ${sql.literal(threadSums)}
          WHERE t.organization_id = ${organization} AND t.id = (SELECT m.thread_id FROM messages AS m
            WHERE m.organization_id = ${organization} AND m.id = ${message})`.pipe(Effect.map(first), forRequest),
      messages: (organization, id, request) =>
        isNear(request)
          ? Effect.map(listNear(organization, { key: id, request }), ({ isList, page }) =>
              isList ? Option.some(page) : Option.none()
            )
          : forRequest(listFar(organization, id, request)),
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
