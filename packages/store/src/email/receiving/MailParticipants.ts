import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId, type ParticipantType } from "@switchboard/domain/participants/Participant"
import type { MailAuthor, NewReceivedMessage } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect } from "effect"

/** Who is made for an address that has nobody yet. */
interface Newcomer {
  readonly name: string
  readonly displayName: string | null
  readonly type: ParticipantType
}

const insertParticipant = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: ParticipantId,
  { displayName, name, type }: Newcomer,
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

/** Whose address it is, and stays until this is stored; whoever is quicker makes them, and the others find them. */
const findOrMake = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  address: EmailAddress,
  newcomer: Newcomer
) {
  const key = addressKey(address)
  const { id, now } = yield* newId(ParticipantId)
  const find = sql<{ id: ParticipantId }>`SELECT p.id FROM participant_addresses AS a
      JOIN participants AS p ON p.organization_id = a.organization_id AND p.id = a.participant_id
    WHERE a.organization_id = ${organization} AND a.kind = 'email' AND a.address = ${key} FOR KEY SHARE OF p`
  const [known] = yield* find
  if (known !== undefined) return known.id
  const [made] = yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
    VALUES (${organization}, 'email', ${key}, ${id}) ON CONFLICT DO NOTHING RETURNING 1`
  if (made === undefined) {
    const [other] = yield* find
    if (other !== undefined) return other.id
  }
  yield* insertParticipant(sql, organization, id, newcomer, now)
  return id
})

/** Whoever was known by the address alone has the name that they call themselves by from now on. */
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
  const id = yield* findOrMake(sql, organization, address, {
    name: name ?? address,
    displayName: name,
    type: "contact"
  })
  if (name !== null) {
    yield* sql`UPDATE participants SET display_name = ${name}, updated_at = now()
      WHERE organization_id = ${organization} AND id = ${id} AND type = 'contact' AND display_name IS NULL
        AND lower(name) = ${addressKey(address)}`
  }
  return id
})

/** Whoever sent the messages whose signed addresses a mail came to. */
const sendersOf = (sql: SqlClient.SqlClient, organization: OrganizationId, messages: ReadonlyArray<MessageId>) =>
  messages.length === 0
    ? Effect.succeed<ReadonlyArray<ParticipantId>>([])
    : Effect.map(
        sql<{ id: ParticipantId }>`SELECT DISTINCT from_participant_id AS id FROM messages
          WHERE organization_id = ${organization} AND id = ANY (${messages}::uuid[]) AND direction = 'outbound'`,
        (rows) => rows.map(({ id }) => id)
      )

/**
 * The participants of a received mail, made where they are missing: its author as a contact, our own addresses as what
 * they are when mail is sent from them.
 */
export const mailParticipants = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { author, facts: { organizationId }, recipients, signed }: NewReceivedMessage
) {
  const from = yield* authorId(sql, organizationId, author)
  const answered = yield* sendersOf(sql, organizationId, signed)
  const own = yield* Effect.forEach([...new Set(recipients)].sort(), (address) =>
    findOrMake(sql, organizationId, address, { name: address, displayName: null, type: "sender" })
  )
  return { from, to: [...new Set([...answered, ...own])] }
})
