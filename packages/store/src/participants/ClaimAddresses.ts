import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ChannelIdentities, ParticipantId } from "@switchboard/domain/participants/Participant"
import { Effect } from "effect"

/** An address that identifies a participant. */
export interface Address {
  readonly kind: string
  readonly address: string
}

/** An address that belongs to a participant. */
export interface TakenAddress extends Address {
  readonly owner: ParticipantId
  /** Whether the owner was created from a mail and no request has completed it. */
  readonly isUnknown: boolean
}

/** Addresses in a fixed order, so that concurrent transactions do not deadlock. */
export const addressesOf = (identities: ChannelIdentities): ReadonlyArray<Address> =>
  (["email", "phone", "whatsapp"] as const).flatMap((kind) =>
    [...(identities[kind] ?? [])].sort().map((address) => ({ kind, address }))
  )

const claimStatement = /* sql */ `
INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
SELECT $1::uuid, g.kind, g.address, $2::uuid
FROM json_to_recordset($3::json) AS g(kind text, address text)
ON CONFLICT DO NOTHING RETURNING kind, address`

const ownersStatement = /* sql */ `
SELECT a.kind, a.address, p.id AS owner, p.type = 'contact' AND NOT p.is_given AS "isUnknown"
FROM json_to_recordset($2::json) AS g(kind text, address text)
  JOIN participant_addresses AS a ON a.organization_id = $1 AND a.kind = g.kind AND a.address = g.address
  JOIN participants AS p ON p.organization_id = a.organization_id AND p.id = a.participant_id
FOR NO KEY UPDATE OF p`

/**
 * Assigns addresses to a participant. Returns the addresses of other participants, whose rows are then locked.
 * Requires a transaction.
 */
export const claimAddresses = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  participant: ParticipantId,
  addresses: ReadonlyArray<Address>
): Effect.Effect<ReadonlyArray<TakenAddress>, SqlError> =>
  Effect.gen(function* () {
    if (addresses.length === 0) return []
    const claimed = yield* sql.unsafe<Address>(claimStatement, [organization, participant, JSON.stringify(addresses)])
    const others = addresses.filter(
      ({ address, kind }) => !claimed.some((one) => one.kind === kind && one.address === address)
    )
    if (others.length === 0) return []
    const taken = yield* sql.unsafe<TakenAddress>(ownersStatement, [organization, JSON.stringify(others)])
    // An owner can release its address between the two statements.
    return taken.length === others.length ? taken : yield* claimAddresses(sql, organization, participant, others)
  })
