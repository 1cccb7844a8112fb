import type { SqlClient } from "@effect/sql"
import type { ThreadId, ThreadStatus } from "@switchboard/domain/email/threads/Thread"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"

/** A change of an organization's numbers of threads. */
export type ThreadChange = { readonly [Status in ThreadStatus]?: number }

export const noChange: ThreadChange = {}

export const addChanges = (one: ThreadChange, other: ThreadChange): ThreadChange => ({
  active: (one.active ?? 0) + (other.active ?? 0),
  resolved: (one.resolved ?? 0) + (other.resolved ?? 0),
  archived: (one.archived ?? 0) + (other.archived ?? 0)
})

/**
 * Changes the numbers of threads in `organization_usage`, a row that sends lock too. The last statement of a
 * transaction, so that they wait for it only during the commit.
 */
export const countThreads = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { active = 0, archived = 0, resolved = 0 }: ThreadChange
) =>
  active === 0 && resolved === 0 && archived === 0
    ? Effect.void
    : sql`UPDATE organization_usage SET active_threads = active_threads + ${active},
          resolved_threads = resolved_threads + ${resolved}, archived_threads = archived_threads + ${archived}
        WHERE organization_id = ${organization}`

/** Gives the threads of a conversation the status that all of them have. Requires the lock of the conversation. */
export const setThreadStatus = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  conversation: ConversationId,
  status: ThreadStatus
) =>
  sql<{ before: ThreadStatus; number: number }>`WITH changed AS MATERIALIZED (
      SELECT id, status FROM threads
      WHERE organization_id = ${organization} AND conversation_id = ${conversation} AND status <> ${status}
      ORDER BY id FOR NO KEY UPDATE
    ), moved AS (
      UPDATE threads AS t SET status = ${status} FROM changed AS c
      WHERE t.organization_id = ${organization} AND t.id = c.id RETURNING c.status AS before
    )
    SELECT before, count(*)::int AS number FROM moved GROUP BY before`.pipe(
    Effect.map(
      ([row]): ThreadChange => (row === undefined ? noChange : { [row.before]: -row.number, [status]: row.number })
    )
  )

/**
 * Locks the thread of a message that a transaction deletes. Of two transactions that delete the last messages of a
 * thread, the second finds it empty. A reply to a message keeps it in place by the lock of that message.
 */
export const lockThread = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ThreadId) =>
  sql`SELECT FROM threads WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`

/** Deletes a locked thread without messages. */
export const deleteEmptyThread = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ThreadId) =>
  sql<{ status: ThreadStatus }>`DELETE FROM threads WHERE organization_id = ${organization} AND id = ${id}
      AND NOT EXISTS (SELECT FROM messages WHERE organization_id = ${organization} AND thread_id = ${id})
    RETURNING status`.pipe(Effect.map(([row]): ThreadChange => (row === undefined ? noChange : { [row.status]: -1 })))
