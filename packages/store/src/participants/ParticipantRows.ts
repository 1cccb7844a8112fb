import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageParticipant, ParticipantId } from "@switchboard/domain/participants/Participant"
import { Effect } from "effect"

/**
 * A row of `participants AS p` with its addresses by kind, as a JSON `MessageParticipant`. It is not validated: the
 * store wrote it, and a contract test proves that it encodes.
 */
export const participantJson = `json_build_object('id', p.id, 'name', p.name, 'displayName', p.display_name,
  'type', p.type, 'channelIdentities', COALESCE((
    SELECT json_object_agg(k.kind, k.addresses) FROM (
      SELECT a.kind, json_agg(a.address ORDER BY a.address) AS addresses FROM participant_addresses AS a
      WHERE a.organization_id = p.organization_id AND a.participant_id = p.id GROUP BY a.kind
    ) AS k), '{}'::json))`

/** Those of the ids that are the organization's. */
export const selectParticipants = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  ids: ReadonlyArray<ParticipantId>
) =>
  ids.length === 0
    ? Effect.succeed<ReadonlyArray<MessageParticipant>>([])
    : Effect.map(
        sql<{ participant: MessageParticipant }>`SELECT ${sql.literal(participantJson)} AS participant
          FROM participants AS p WHERE p.organization_id = ${organization} AND ${sql.in("p.id", ids)}`,
        (rows) => rows.map(({ participant }) => participant)
      )
