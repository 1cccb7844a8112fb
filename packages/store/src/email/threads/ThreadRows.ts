import { Thread, ThreadId } from "@switchboard/domain/email/threads/Thread"
import { Schema } from "effect"
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
export const threadSums = "JOIN thread_sums AS s ON s.organization_id = t.organization_id AND s.thread_id = t.id"

/** The columns of `threads AS t` and `threadSums` for `threadFromRow`. */
export const threadColumns = `t.id, t.organization_id AS "organizationId", t.conversation_id AS "conversationId",
  t.subject, s.status, s.messages AS "messageCount", s.unread AS "unreadCount", s.first_at AS "firstMessageAt",
  s.last_at AS "lastMessageAt", s.last_direction AS "lastMessageDirection", s.with_attachments > 0 AS "hasAttachments",
  t.created_at AS "createdAt", greatest(t.updated_at, s.last_at) AS "updatedAt",
  (SELECT COALESCE(json_agg(${participantJson} ORDER BY p.id), '[]') FROM thread_participants AS o
      JOIN participants AS p ON p.organization_id = o.organization_id AND p.id = o.participant_id
    WHERE o.organization_id = t.organization_id AND o.thread_id = t.id) AS participants`

/** Decodes a thread. */
export const threadFromRow = (row: object): Thread => new Thread(decode(row), { disableValidation: true })
