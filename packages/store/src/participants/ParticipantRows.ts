import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MessageParticipant, type ParticipantId } from "@switchboard/domain/participants/Participant"
import { Effect, Schema } from "effect"

const decode = Schema.decodeUnknownSync(Schema.Array(MessageParticipant))

/** Those of the ids that are the organization's, with their addresses by kind. */
export const selectParticipants = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  ids: ReadonlyArray<ParticipantId>
) =>
  ids.length === 0
    ? Effect.succeed<ReadonlyArray<MessageParticipant>>([])
    : Effect.map(
        sql`SELECT p.id, p.name, p.display_name AS "displayName", p.type, COALESCE((
              SELECT json_object_agg(k.kind, k.addresses) FROM (
                SELECT a.kind, json_agg(a.address ORDER BY a.address) AS addresses FROM participant_addresses AS a
                WHERE a.organization_id = p.organization_id AND a.participant_id = p.id GROUP BY a.kind
              ) AS k), '{}'::json) AS "channelIdentities"
          FROM participants AS p WHERE p.organization_id = ${organization} AND ${sql.in("p.id", ids)}`,
        (rows) => decode(rows)
      )
