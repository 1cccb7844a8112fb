import { Thread, ThreadId, type ThreadStatus } from "@switchboard/domain/email/threads/Thread"
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

/** Waiting and snoozed count as active. Of `conversations AS c`. */
export const threadStatus = "CASE WHEN c.status IN ('resolved', 'archived') THEN c.status ELSE 'active' END"

/** Each status of threads with those of conversations that count as it. */
export const conversationStatuses: { readonly [Status in ThreadStatus]: ReadonlyArray<string> } = {
  active: ["active", "waiting", "snoozed"],
  resolved: ["resolved"],
  archived: ["archived"]
}

/** The messages of `threads AS t`, found by `messages_thread`. */
const messagesOf = "messages AS m WHERE m.organization_id = t.organization_id AND m.thread_id = t.id"

/** A thread whose messages are all deleted is none. */
export const hasMessages = `EXISTS (SELECT 1 FROM ${messagesOf})`

/** `threads AS t` with the conversations `AS c` whose status is theirs. */
export const threadTables = `threads AS t JOIN conversations AS c
  ON c.organization_id = t.organization_id AND c.id = t.conversation_id`

/**
 * What a `SELECT` from `threadTables` and `threadSums` names, so that `threadFromRow` knows its rows. Everything is
 * counted when it is read: threads are short, and nothing that is kept of them could be wrong.
 */
export const threadColumns = `t.id, t.organization_id AS "organizationId", t.conversation_id AS "conversationId",
  t.subject, ${threadStatus} AS status, x.message_count AS "messageCount", x.unread_count AS "unreadCount",
  x.first_message_at AS "firstMessageAt", x.last_message_at AS "lastMessageAt", x.direction AS "lastMessageDirection",
  x.has_attachments AS "hasAttachments", t.created_at AS "createdAt",
  greatest(t.updated_at, x.last_message_at) AS "updatedAt", (SELECT COALESCE(json_agg(${participantJson} ORDER BY p.id), '[]')
    FROM participants AS p WHERE p.organization_id = t.organization_id AND p.id IN (
      SELECT unnest(m.from_participant_id || m.to_participant_ids) FROM ${messagesOf})) AS participants`

/** Joined to `threads AS t`: what its messages say of it. */
export const threadSums = `CROSS JOIN LATERAL (
  SELECT count(*)::int AS message_count,
    (count(*) FILTER (WHERE m.direction = 'inbound' AND (t.read_up_to IS NULL OR m.id > t.read_up_to)))::int
      AS unread_count,
    min(m.created_at) AS first_message_at, max(m.created_at) AS last_message_at,
    (array_agg(m.direction ORDER BY m.id DESC))[1] AS direction, bool_or(m.attachment_count > 0) AS has_attachments
  FROM ${messagesOf} HAVING count(*) > 0
) AS x`

/** The thread of a row. */
export const threadFromRow = (row: object): Thread => new Thread(decode(row), { disableValidation: true })
