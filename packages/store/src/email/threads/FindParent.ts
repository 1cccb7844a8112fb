import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import {
  matchThread,
  type ThreadCandidate,
  type ThreadLookup,
  threadLookups
} from "@switchboard/domain/email/threads/ThreadMatching"
import type { NewReceivedMessage } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { Effect, Match, Option } from "effect"
import { firstIdAt } from "../../FirstIdAt.js"
import { lockParent, type ParentMessage } from "./JoinThread.js"

/** Messages of the same author that one lookup reads. */
const maxCandidates = 500

const findCandidates = (
  sql: SqlClient.SqlClient,
  { author, facts: { id, organizationId } }: NewReceivedMessage,
  lookup: ThreadLookup
) =>
  Match.value(lookup).pipe(
    Match.tag(
      "ByReference",
      ({ ids, names }) => sql<ThreadCandidate>`SELECT m.id, m.direction = 'outbound' AS "isSent",
          m.addressing ->> 'messageId' AS "rfcMessageId", NULL AS subject
        FROM messages AS m WHERE m.organization_id = ${organizationId} AND m.id = ANY (${ids}::uuid[])
      UNION ALL
      SELECT i.message_id, false, i.rfc_message_id, NULL FROM inbound_messages AS i
        WHERE i.organization_id = ${organizationId} AND i.rfc_message_id = ANY (${names}::text[])
          AND i.message_id <> ${id}`
    ),
    Match.tag("ByAuthor", ({ since }) =>
      author.address === null
        ? Effect.succeed([])
        : sql<ThreadCandidate>`SELECT m.id, m.direction = 'outbound' AS "isSent",
            m.addressing ->> 'messageId' AS "rfcMessageId", m.subject_line AS subject
          FROM participant_addresses AS a
            JOIN message_participants AS p
              ON p.organization_id = a.organization_id AND p.participant_id = a.participant_id
            JOIN messages AS m ON m.organization_id = p.organization_id AND m.id = p.message_id
          WHERE a.organization_id = ${organizationId} AND a.kind = 'email' AND a.address = ${addressKey(author.address)}
            AND p.message_id >= ${firstIdAt(since)} AND m.id <> ${id} AND m.channel = 'email'
          ORDER BY p.message_id DESC LIMIT ${maxCandidates}`
    ),
    Match.exhaustive
  )

/** The parent of a received mail, locked: the first match of `matchThread` that still exists. */
export const findParent = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, message: NewReceivedMessage) {
  const { content, createdAt, organizationId } = message.facts
  const mail = { ...message, subject: content.subject, receivedAt: createdAt }
  for (const lookup of threadLookups(mail)) {
    for (const id of matchThread(mail, yield* findCandidates(sql, message, lookup))) {
      const parent = yield* lockParent(sql, organizationId, id)
      if (Option.isSome(parent)) return parent
    }
  }
  return Option.none<ParentMessage>()
})
