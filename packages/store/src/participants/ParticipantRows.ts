import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  ChannelIdentities,
  type MessageParticipant,
  Participant,
  type ParticipantId
} from "@switchboard/domain/participants/Participant"
import { Effect, Schema } from "effect"
import { escapedText, escapedTextOrNull, json, objectText, plainText } from "../JsonText.js"
import { nullable } from "../RowMapping.js"

/** The addresses of one kind in `a`; NULL if there are none. */
const addressesOfKind = (kind: string) =>
  `'"${kind}":[' || string_agg(a.text, ',') FILTER (WHERE a.kind = '${kind}') || ']'`

/** The addresses of `participants AS p` by kind, as JSON text. */
const identitiesText = `(
    SELECT '{' || concat_ws(',', ${Object.keys(ChannelIdentities.fields).map(addressesOfKind).join(", ")}) || '}'
    FROM (SELECT a.kind, to_json(a.address)::text AS text FROM participant_addresses AS a
      WHERE a.organization_id = p.organization_id AND a.participant_id = p.id ORDER BY a.address) AS a)`

/**
 * `participants AS p` with addresses by kind, as the JSON text of a `MessageParticipant`. It is not validated: the store
 * wrote the data, and a contract test proves that it encodes.
 */
export const participantText = objectText({
  id: plainText("p.id"),
  name: escapedText("p.name"),
  displayName: escapedTextOrNull("p.display_name"),
  type: plainText("p.type"),
  channelIdentities: json(identitiesText)
})

/** The same as JSON. */
export const participantJson = `(${participantText})::json`

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
  p.display_name AS "displayName", p.type, ${identitiesText}::json AS "channelIdentities", p.country, p.region, p.metadata,
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
