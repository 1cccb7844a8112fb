import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type MessageParticipant, Participant, type ParticipantId } from "@switchboard/domain/participants/Participant"
import { Effect, Schema } from "effect"

/** The addresses of `participants AS p` by kind. */
const identitiesJson = `COALESCE((
    SELECT json_object_agg(k.kind, k.addresses) FROM (
      SELECT a.kind, json_agg(a.address ORDER BY a.address) AS addresses FROM participant_addresses AS a
      WHERE a.organization_id = p.organization_id AND a.participant_id = p.id GROUP BY a.kind
    ) AS k), '{}'::json)`

/**
 * `participants AS p` with addresses by kind, as a JSON `MessageParticipant`. It is not validated: the store wrote the
 * data, and a contract test proves that it encodes.
 */
export const participantJson = `json_build_object('id', p.id, 'name', p.name, 'displayName', p.display_name,
  'type', p.type, 'channelIdentities', ${identitiesJson})`

/** NULL in a column is an absent field. */
const nullable = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    ...Participant.fields,
    displayName: nullable(Schema.String),
    country: nullable(Schema.String),
    region: nullable(Schema.String),
    metadata: nullable(Participant.fields.metadata.from),
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

/** The columns of `participants AS p` for `participantFromRow`. */
export const participantColumns = `p.id, p.organization_id AS "organizationId", p.name,
  p.display_name AS "displayName", p.type, ${identitiesJson} AS "channelIdentities", p.country, p.region, p.metadata,
  p.created_at AS "createdAt", p.updated_at AS "updatedAt"`

/** Decodes a participant. */
export const participantFromRow = (row: object): Participant =>
  new Participant(decode(row), { disableValidation: true })

/** The organization's participants with these ids. */
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
