import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { Erasure } from "@switchboard/services/erasure/ErasureRepo"
import { Effect, Option } from "effect"

/** A participant with the address. An address belongs to one participant of an organization. */
export interface PersonAsParticipant {
  readonly organizationId: OrganizationId
  readonly participantId: ParticipantId
}

/** One lookup by primary key for each organization: there is no index on addresses of all organizations. */
const participantsStatement = /* sql */ `
SELECT o.id AS "organizationId", a.participant_id AS "participantId" FROM organizations AS o CROSS JOIN LATERAL (
  SELECT participant_id FROM participant_addresses
  WHERE organization_id = o.id AND kind = 'email' AND address = $1 OFFSET 0
) AS a WHERE $2::uuid IS NULL OR o.id = $2::uuid ORDER BY o.id`

/** The participants with the address. */
export const findParticipants = (sql: SqlClient.SqlClient, { address, organization }: Erasure) =>
  sql.unsafe<PersonAsParticipant>(participantsStatement, [addressKey(address), Option.getOrNull(organization)])

/** The ids of a participant's messages after an id, at most `limit`. */
export const messagesOf = (
  sql: SqlClient.SqlClient,
  { organizationId, participantId }: PersonAsParticipant,
  after: string,
  limit: number
) =>
  Effect.map(
    sql<{ readonly id: string }>`SELECT message_id AS id FROM message_participants
      WHERE organization_id = ${organizationId} AND participant_id = ${participantId} AND message_id > ${after}
      ORDER BY message_id LIMIT ${limit}`,
    (rows) => rows.map(({ id }) => id)
  )

/** Erases the address, name, location and metadata of a participant. */
export const eraseParticipant = (
  sql: SqlClient.SqlClient,
  { organizationId, participantId }: PersonAsParticipant,
  { address }: Erasure
) =>
  sql`WITH address AS (
      DELETE FROM participant_addresses WHERE organization_id = ${organizationId} AND kind = 'email'
        AND address = ${addressKey(address)} AND participant_id = ${participantId}
    )
    UPDATE participants SET name = 'Erased', display_name = NULL, country = NULL, region = NULL, metadata = NULL,
      updated_at = now()
    WHERE organization_id = ${organizationId} AND id = ${participantId}`
