import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageParticipant, ParticipantId, ParticipantType } from "@switchboard/domain/participants/Participant"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { DateTime, Effect } from "effect"
import { v7 } from "uuid"

/**
 * Finds the participants of addresses, and makes those that are missing. An address that another transaction made
 * meanwhile is in neither part of the answer: the same statement finds it the next time.
 */
const findOrMake = /* sql */ `
WITH wanted AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS w(organization_id uuid, address text, id uuid, name text, type text)
), known AS MATERIALIZED (
  SELECT w.organization_id, w.address, a.participant_id FROM wanted AS w JOIN participant_addresses AS a
    ON a.organization_id = w.organization_id AND a.kind = 'email' AND a.address = w.address
), made AS (
  INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
  SELECT w.organization_id, 'email', w.address, w.id FROM wanted AS w
  WHERE NOT EXISTS (SELECT 1 FROM known AS k WHERE k.organization_id = w.organization_id AND k.address = w.address)
  ORDER BY w.organization_id, w.address
  ON CONFLICT DO NOTHING RETURNING organization_id, address, participant_id
), people AS (
  INSERT INTO participants (organization_id, id, name, type, created_at, updated_at)
  SELECT w.organization_id, w.id, w.name, w.type, $2, $2 FROM wanted AS w JOIN made AS m ON m.participant_id = w.id
  RETURNING organization_id, id, name, display_name, type
)
SELECT k.organization_id, k.address, p.id, p.name, p.display_name, p.type FROM known AS k
  JOIN participants AS p ON p.organization_id = k.organization_id AND p.id = k.participant_id
UNION ALL
SELECT m.organization_id, m.address, p.id, p.name, p.display_name, p.type FROM made AS m
  JOIN people AS p ON p.organization_id = m.organization_id AND p.id = m.participant_id`

interface ParticipantRow {
  readonly organization_id: OrganizationId
  readonly address: string
  readonly id: ParticipantId
  readonly name: string
  readonly display_name: string | null
  readonly type: ParticipantType
}

interface Wanted {
  readonly organization_id: OrganizationId
  readonly address: string
  readonly id: string
  readonly name: string
  readonly type: ParticipantType
}

const keyOf = (organization: OrganizationId, address: string) => `${organization} ${address}`

const wantedBy = (batch: ReadonlyArray<NewMessage>) => {
  const wanted = new Map<string, Wanted>()
  const want = (organization: OrganizationId, address: string, name: string, type: ParticipantType) => {
    const key = keyOf(organization, address)
    if (!wanted.has(key)) wanted.set(key, { organization_id: organization, address, id: v7(), name, type })
  }
  for (const { facts, recipients, sender } of batch) {
    want(facts.organizationId, addressKey(sender.address), sender.name ?? sender.address, "sender")
    for (const recipient of recipients) want(facts.organizationId, addressKey(recipient), recipient, "contact")
  }
  return wanted
}

/** The participant of each address of the messages, by organization and address. */
export const findOrMakeParticipants = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  batch: ReadonlyArray<NewMessage>
) {
  const now = yield* DateTime.now
  const missing = wantedBy(batch)
  const found = new Map<string, MessageParticipant>()
  while (missing.size > 0) {
    const rows = yield* sql.unsafe<ParticipantRow>(findOrMake, [
      JSON.stringify([...missing.values()]),
      DateTime.toDateUtc(now)
    ])
    for (const { address, display_name, id, name, organization_id, type } of rows) {
      const key = keyOf(organization_id, address)
      missing.delete(key)
      found.set(key, { id, name, displayName: display_name, type, channelIdentities: { email: [address] } })
    }
  }
  return (organization: OrganizationId, address: EmailAddress): MessageParticipant => {
    const participant = found.get(keyOf(organization, addressKey(address)))
    if (participant === undefined) throw new Error("A participant was neither found nor made")
    return participant
  }
})
