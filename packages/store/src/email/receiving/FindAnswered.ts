import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { type AnswerCandidate, idOfOwn } from "@switchboard/domain/email/threads/AnswerCandidates"
import { baseSubject } from "@switchboard/domain/email/threads/BaseSubject"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type DateTime, Effect, Match, Option } from "effect"
import { firstIdAt } from "../../FirstIdAt.js"

/** A mail that asks which message it answers. */
export interface Asking {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly author: EmailAddress | null
}

/** Messages with one counterpart that are looked through for a subject, at most. */
const maxTitles = 500

interface NamedRow {
  readonly id: MessageId
  readonly name: string
}

/** The organization's messages that came or went with these Message-IDs; of two with one, that which was sent, or came first. */
const namedMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { messageId, organizationId }: Asking,
  names: ReadonlyArray<string>
) {
  if (names.length === 0) return new Map<string, MessageId>()
  const own = names.flatMap((name) => Option.toArray(idOfOwn(name)))
  const rows = yield* sql<NamedRow>`SELECT m.id, m.addressing ->> 'messageId' AS name FROM messages AS m
      WHERE m.organization_id = ${organizationId} AND m.id = ANY (${own}::uuid[]) AND m.direction = 'outbound'
    UNION ALL
    (SELECT i.message_id AS id, i.rfc_message_id AS name FROM inbound_messages AS i
      WHERE i.organization_id = ${organizationId} AND i.rfc_message_id = ANY (${names}::text[])
        AND i.message_id <> ${messageId} ORDER BY i.message_id)`
  return new Map(rows.toReversed().map(({ id, name }) => [name, id]))
})

/** The latest message with the author of a mail, since then, that has this base subject. */
const titledMessage = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { author, messageId, organizationId }: Asking,
  wanted: string,
  since: DateTime.Utc
) {
  if (author === null) return Option.none<MessageId>()
  const rows = yield* sql<{ id: MessageId; subject: string }>`SELECT m.id, m.content ->> 'subject' AS subject
    FROM participant_addresses AS a
      JOIN message_participants AS p ON p.organization_id = a.organization_id AND p.participant_id = a.participant_id
      JOIN messages AS m ON m.organization_id = p.organization_id AND m.id = p.message_id
    WHERE a.organization_id = ${organizationId} AND a.kind = 'email' AND a.address = ${addressKey(author)}
      AND p.message_id >= ${firstIdAt(since)} AND m.id <> ${messageId} AND m.channel = 'email'
    ORDER BY p.message_id DESC LIMIT ${maxTitles}`
  return Option.fromNullable(rows.find(({ subject }) => baseSubject(subject) === wanted)?.id)
})

/**
 * The messages of the organization that a mail may answer, the surest first, each as far as it is asked for: what
 * other organizations sent and got is nobody's here.
 */
export const findAnswered = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  asking: Asking,
  candidates: ReadonlyArray<AnswerCandidate>
) {
  const named = yield* namedMessages(
    sql,
    asking,
    candidates.flatMap((candidate) => (candidate._tag === "Named" ? [candidate.rfcMessageId] : []))
  )
  return candidates.map((candidate) =>
    Match.value(candidate).pipe(
      Match.tag("Signed", ({ messageId }) => Effect.succeedSome(messageId)),
      Match.tag("Named", ({ rfcMessageId }) => Effect.succeed(Option.fromNullable(named.get(rfcMessageId)))),
      Match.tag("Titled", ({ baseSubject: wanted, since }) => titledMessage(sql, asking, wanted, since)),
      Match.exhaustive
    )
  )
})
