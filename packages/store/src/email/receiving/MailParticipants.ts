import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId, type ParticipantType } from "@switchboard/domain/participants/Participant"
import type { MailAuthor, NewReceivedMessage } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect } from "effect"

/** The participant to create for an unknown address. */
interface NewParticipant {
  readonly name: string
  readonly displayName: string | null
  readonly type: ParticipantType
}

const insertParticipant = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: ParticipantId,
  { displayName, name, type }: NewParticipant,
  now: DateTime.Utc
) =>
  sql`INSERT INTO participants ${sql.insert({
    organization_id: organization,
    id,
    name,
    display_name: displayName,
    type,
    created_at: DateTime.toDateUtc(now),
    updated_at: DateTime.toDateUtc(now)
  })}`

/**
 * The participant with an address, locked until the transaction ends; created if the address is unknown. Concurrent
 * transactions create it once.
 */
const findOrCreate = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  address: EmailAddress,
  newParticipant: NewParticipant
) {
  const key = addressKey(address)
  const { id, now } = yield* newId(ParticipantId)
  const find = sql<{ id: ParticipantId }>`SELECT p.id FROM participant_addresses AS a
      JOIN participants AS p ON p.organization_id = a.organization_id AND p.id = a.participant_id
    WHERE a.organization_id = ${organization} AND a.kind = 'email' AND a.address = ${key} FOR KEY SHARE OF p`
  const [known] = yield* find
  if (known !== undefined) return known.id
  const [created] = yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
    VALUES (${organization}, 'email', ${key}, ${id}) ON CONFLICT DO NOTHING RETURNING 1`
  if (created === undefined) {
    const [other] = yield* find
    if (other !== undefined) return other.id
  }
  yield* insertParticipant(sql, organization, id, newParticipant, now)
  return id
})

/** The author's participant. A contact with only an address gets the display name of the mail. */
const authorId = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { address, name }: MailAuthor
) {
  if (address === null) {
    const { id, now } = yield* newId(ParticipantId)
    const unknown = { name: name ?? "Unknown sender", displayName: name, type: "contact" } as const
    yield* insertParticipant(sql, organization, id, unknown, now)
    return id
  }
  const id = yield* findOrCreate(sql, organization, address, {
    name: name ?? address,
    displayName: name,
    type: "contact"
  })
  if (name !== null) {
    yield* sql`UPDATE participants SET display_name = ${name}, is_named = true, updated_at = now()
      WHERE organization_id = ${organization} AND id = ${id} AND type = 'contact' AND display_name IS NULL
        AND lower(name) = ${addressKey(address)}`
  }
  return id
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
 * senders.
 */
export const mailParticipants = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { author, facts: { organizationId }, recipients, signed }: NewReceivedMessage
) {
  const from = yield* authorId(sql, organizationId, author)
  const senders = yield* sendersOf(sql, organizationId, signed)
  const own = yield* Effect.forEach([...new Set(recipients)].sort(), (address) =>
    findOrCreate(sql, organizationId, address, { name: address, displayName: null, type: "sender" })
  )
  return { from, to: [...new Set([...senders, ...own])] }
})
