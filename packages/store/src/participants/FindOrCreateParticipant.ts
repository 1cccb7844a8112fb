import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type AddressKind, ParticipantId, type ParticipantType } from "@switchboard/domain/participants/Participant"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect } from "effect"

/** An address by which participants are found. */
export interface ParticipantAddress {
  readonly kind: AddressKind
  /** Lower case. */
  readonly address: string
}

/** The participant to create for an unknown address. */
export interface NewParticipant {
  readonly name: string
  readonly displayName: string | null
  readonly type: ParticipantType
}

/** Stores a participant without addresses. */
export const insertParticipant = (
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
export const findOrCreateParticipant = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { address, kind }: ParticipantAddress,
  newParticipant: NewParticipant
) {
  const { id, now } = yield* newId(ParticipantId)
  const find = sql<{ id: ParticipantId }>`SELECT p.id FROM participant_addresses AS a
      JOIN participants AS p ON p.organization_id = a.organization_id AND p.id = a.participant_id
    WHERE a.organization_id = ${organization} AND a.kind = ${kind} AND a.address = ${address} FOR KEY SHARE OF p`
  const [known] = yield* find
  if (known !== undefined) return { id: known.id, isNew: false }
  const [created] = yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
    VALUES (${organization}, ${kind}, ${address}, ${id}) ON CONFLICT DO NOTHING RETURNING 1`
  if (created === undefined) {
    const [other] = yield* find
    if (other !== undefined) return { id: other.id, isNew: false }
  }
  yield* insertParticipant(sql, organization, id, newParticipant, now)
  return { id, isNew: true }
})
