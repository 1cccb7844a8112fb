import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import {
  matchThread,
  type ThreadCandidate,
  type ThreadHints,
  type ThreadLookup,
  threadLookups
} from "@switchboard/domain/email/threads/ThreadMatching"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { NewReceivedMessage } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { Array, DateTime, Effect, Match, Option } from "effect"
import { firstIdAt } from "../../FirstIdAt.js"
import { lockParent, type ParentMessage } from "./JoinThread.js"

/** Messages of the same author that one lookup reads. */
const maxCandidates = 500

/** Messages with these ids, or with these Message-IDs that others chose: of received and of submitted mail. */
const candidatesByReference = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { ids, names }: Extract<ThreadLookup, { readonly _tag: "ByReference" }>
) => sql<ThreadCandidate>`SELECT m.id, m.direction = 'outbound' AS "isSent",
      m.addressing ->> 'messageId' AS "rfcMessageId", NULL AS subject
    FROM messages AS m WHERE m.organization_id = ${organization} AND m.id = ANY (${ids}::uuid[])
  UNION
  SELECT m.id, true, m.addressing ->> 'messageId', NULL
    FROM messages AS m WHERE m.organization_id = ${organization} AND m.addressing ->> 'submitted' IS NOT NULL
      AND m.addressing ->> 'messageId' = ANY (${names}::text[])
  UNION
  SELECT i.message_id, false, i.rfc_message_id, NULL FROM inbound_messages AS i
    WHERE i.organization_id = ${organization} AND i.rfc_message_id = ANY (${names}::text[])`

const findCandidates = (
  sql: SqlClient.SqlClient,
  { author, facts: { id, organizationId } }: NewReceivedMessage,
  lookup: ThreadLookup
) =>
  Match.value(lookup).pipe(
    Match.tag("ByReference", (references) =>
      Effect.map(candidatesByReference(sql, organizationId, references), (found) =>
        found.filter((candidate) => candidate.id !== id)
      )
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

/** The message that a mail with these Message-IDs answers. */
export const findReferenced = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { inReplyTo, references }: Pick<ThreadHints, "inReplyTo" | "references">
) {
  const hints = { signed: [], inReplyTo, references, subject: "", receivedAt: yield* DateTime.now }
  for (const lookup of threadLookups(hints)) {
    if (lookup._tag !== "ByReference") continue
    return Array.head(matchThread(hints, yield* candidatesByReference(sql, organization, lookup)))
  }
  return Option.none<MessageId>()
})

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
