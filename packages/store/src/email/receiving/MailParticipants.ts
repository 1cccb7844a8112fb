import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { MailAuthor, NewReceivedMessage } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { newId } from "@switchboard/services/NewId"
import { Effect } from "effect"
import { findOrCreateParticipant, insertParticipant } from "../../participants/FindOrCreateParticipant.js"

const mailAddress = (address: EmailAddress) => ({ kind: "email", address: addressKey(address) }) as const

/** The author's participant. A contact with only an address gets the display name of the mail. */
const authorOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { address, name }: MailAuthor
) {
  if (address === null) {
    const { id, now } = yield* newId(ParticipantId)
    const unknown = { name: name ?? "Unknown sender", displayName: name, type: "contact" } as const
    yield* insertParticipant(sql, organization, id, unknown, now)
    return { id, isNew: true }
  }
  const author = yield* findOrCreateParticipant(sql, organization, mailAddress(address), {
    name: name ?? address,
    displayName: name,
    type: "contact"
  })
  if (name !== null) {
    yield* sql`UPDATE participants SET display_name = ${name}, is_named = true, updated_at = now()
      WHERE organization_id = ${organization} AND id = ${author.id} AND type = 'contact' AND display_name IS NULL
        AND lower(name) = ${addressKey(address)}`
  }
  return author
})

/** The senders of the messages whose signed addresses received the mail. */
const sendersOf = (sql: SqlClient.SqlClient, organization: OrganizationId, messages: ReadonlyArray<MessageId>) =>
  messages.length === 0
    ? Effect.succeed<ReadonlyArray<ParticipantId>>([])
    : Effect.map(
        sql<{ id: ParticipantId }>`SELECT DISTINCT from_participant_id AS id FROM messages
          WHERE organization_id = ${organization} AND id = ANY (${messages}::uuid[]) AND direction = 'outbound'`,
        (rows) => rows.map(({ id }) => id)
      )

/**
 * The participants of a received mail, created if missing: its author as a contact, the organization's own addresses as
 * senders. With the number of created ones.
 */
export const mailParticipants = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { author, facts: { organizationId }, recipients, signed }: NewReceivedMessage
) {
  const from = yield* authorOf(sql, organizationId, author)
  const senders = yield* sendersOf(sql, organizationId, signed)
  const own = yield* Effect.forEach([...new Set(recipients)].sort(), (address) =>
    findOrCreateParticipant(sql, organizationId, mailAddress(address), {
      name: address,
      displayName: null,
      type: "sender"
    })
  )
  const created = [from, ...own].filter(({ isNew }) => isNew).length
  return { created, from: from.id, to: [...new Set([...senders, ...own.map(({ id }) => id)])] }
})
