import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { eraseRecipient } from "@switchboard/domain/messages/EraseRecipient"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import type { Counted, Erasure, ReportProgress } from "@switchboard/services/erasure/ErasureRepo"
import type { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { DateTime, Effect, Option } from "effect"
import { retryConflicts } from "../database/Unavailable.js"
import { minId } from "../FirstIdAt.js"
import { deleteEntry } from "../messages/DeleteEntry.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "../messages/StateRows.js"
import type { RecordProgress } from "./ErasureRun.js"
import { mentionOf } from "./Mentions.js"

/** SQL: the kinds of address in `participant_addresses` that an address `$n` can be of. */
const isOfKind = (parameter: string) =>
  `kind = ANY (CASE WHEN strpos(${parameter}, '@') > 0 THEN '{email}' ELSE '{phone,whatsapp}' END::text[])`

/** Keeps all other fields of the addressing as they were. */
const addressingStatement = /* sql */ `
WITH person AS (
  SELECT participant_id AS id FROM participant_addresses WHERE organization_id = $1 AND ${isOfKind("$3")} AND address = $3
), listed AS (
  DELETE FROM message_participants AS p USING person
  WHERE p.organization_id = $1 AND p.participant_id = person.id AND p.message_id = $2
    AND NOT EXISTS (SELECT FROM messages AS m WHERE m.organization_id = $1 AND m.id = $2 AND m.from_participant_id = person.id)
)
UPDATE messages AS m SET
  to_participant_ids = ARRAY(
    SELECT one FROM unnest(m.to_participant_ids) WITH ORDINALITY AS t(one, place)
    WHERE one NOT IN (SELECT id FROM person) ORDER BY place
  ),
  addressing = (
    SELECT json_object_agg(key, CASE WHEN key IN ('to', 'cc', 'bcc') THEN (
      SELECT COALESCE(json_agg(one ORDER BY place), '[]') FROM json_array_elements_text(value) WITH ORDINALITY AS a(one, place)
      WHERE lower(one) <> $3
    ) WHEN key = 'names' THEN (
      SELECT COALESCE(json_object_agg(one, shown), '{}') FROM json_each(value) AS n(one, shown) WHERE lower(one) <> $3
    ) ELSE value END) FROM json_each(m.addressing)
  )
WHERE m.organization_id = $1 AND m.id = $2`

/**
 * Removes an address from a message with other recipients. A running attempt may still deliver to it; delivery to the
 * others continues. Requires a transaction.
 */
export const removeRecipient = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, organizationId }: MessageWithAddress,
  address: string
) {
  const key = addressKey(address)
  const [row] = yield* sql<StateRow>`SELECT ${sql.literal(stateColumns)} FROM message_states AS s
    WHERE s.organization_id = ${organizationId} AND s.message_id = ${id} FOR UPDATE`
  if (row === undefined) return
  const before = stateFromRow(row)
  const after = eraseRecipient(before, (recipient) => recipient.toLowerCase() === key, yield* DateTime.now)
  if (after !== before) yield* writeStates(sql, [{ organizationId, messageId: id, before, after }])
  if (!after.deliveries.some(isOpen)) yield* deleteEntry(sql, organizationId, id)
  yield* sql.unsafe(addressingStatement, [organizationId, id, key])
})

/** A message to or from the address. */
export interface MessageWithAddress {
  readonly organizationId: OrganizationId
  readonly id: MessageId
  /** Whether the message is only to the address, or from it. */
  readonly isTheirs: boolean
}

/** The recipients of `messages AS m`, in lower case. */
const recipients = `(SELECT lower(one) AS one FROM unnest(ARRAY['to', 'cc', 'bcc']) AS role
  CROSS JOIN LATERAL json_array_elements_text(m.addressing -> role) AS one)`

/** The messages of `$1` (organizations) and `$2` (ids) that are to or from the address. */
const messagesStatement = /* sql */ `
SELECT m.organization_id AS "organizationId", m.id, CASE m.direction WHEN 'inbound' THEN m.content ->> 'from' ~* $4
    ELSE NOT EXISTS (SELECT FROM ${recipients} AS r WHERE one <> $3) END AS "isTheirs"
FROM unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id)
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE organization_id = k.organization_id AND id = k.id OFFSET 0) AS m
WHERE $3 IN (SELECT one FROM ${recipients} AS r) OR m.direction = 'inbound' AND m.content ->> 'from' ~* $4
ORDER BY m.organization_id, m.id`

/**
 * Removes messages only to or from the address, and the address from messages with other recipients. Other messages
 * stay unchanged. Each message is a transaction.
 */
export const eraseMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: typeof MessageRepo.Service,
  { address }: Erasure,
  keys: ReadonlyArray<readonly [organization: string, id: string]>
) {
  const named = yield* sql.unsafe<MessageWithAddress>(messagesStatement, [
    keys.map(([organization]) => organization),
    keys.map(([, id]) => id),
    addressKey(address),
    mentionOf(address)
  ])
  const theirs = named.filter(({ isTheirs }) => isTheirs)
  const shared = named.filter(({ isTheirs }) => !isTheirs)
  yield* Effect.forEach(theirs, ({ id, organizationId }) => messages.remove(organizationId, id))
  yield* Effect.forEach(shared, (message) =>
    removeRecipient(sql, message, address).pipe(sql.withTransaction, retryConflicts)
  )
  const counts: ReadonlyArray<Counted> = [
    { what: "messages", count: theirs.length },
    { what: "recipients of messages with other recipients", count: shared.length }
  ]
  return counts
})

/** A participant with the address. An address of a kind belongs to one participant of an organization. */
interface PersonAsParticipant {
  readonly organizationId: OrganizationId
  readonly participantId: ParticipantId
}

/** One lookup by primary key for each organization: there is no index on addresses of all organizations. */
const participantsStatement = /* sql */ `
SELECT o.id AS "organizationId", a.participant_id AS "participantId" FROM organizations AS o CROSS JOIN LATERAL (
  SELECT DISTINCT participant_id FROM participant_addresses
  WHERE organization_id = o.id AND ${isOfKind("$1")} AND address = $1 OFFSET 0
) AS a WHERE $2::uuid IS NULL OR o.id = $2::uuid ORDER BY o.id`

/** The participants with the address. */
const findParticipants = (sql: SqlClient.SqlClient, { address, organization }: Erasure) =>
  sql.unsafe<PersonAsParticipant>(participantsStatement, [addressKey(address), Option.getOrNull(organization)])

/** The ids of a participant's messages after an id, at most `limit`. */
const messagesOf = (
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

/** Erases the address, name, location, metadata and figures of a participant. */
const eraseParticipant = (
  sql: SqlClient.SqlClient,
  { organizationId, participantId }: PersonAsParticipant,
  { address }: Erasure
) =>
  sql`WITH address AS (
      DELETE FROM participant_addresses WHERE organization_id = ${organizationId}
        AND address = ${addressKey(address)} AND participant_id = ${participantId}
    ), figures AS (
      DELETE FROM rollup_participants WHERE organization_id = ${organizationId} AND participant_id = ${participantId}
    )
    UPDATE participants SET name = 'Erased', is_named = true, display_name = NULL, country = NULL, region = NULL,
      metadata = NULL, updated_at = now()
    WHERE organization_id = ${organizationId} AND id = ${participantId}`

/** Messages of a participant per page. */
const messagesPage = 200

/**
 * Erases the participants with the address, each after its messages, which are found by it. Their events are folded
 * (`project`) before its figures are deleted.
 */
export const eraseParticipants = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: typeof MessageRepo.Service,
  project: typeof RollupRepo.Service.project,
  erasure: Erasure,
  record: RecordProgress,
  report: ReportProgress
) {
  for (const participant of yield* findParticipants(sql, erasure)) {
    let searched = 0
    for (let after: string | undefined = minId; after !== undefined; ) {
      const ids: ReadonlyArray<string> = yield* messagesOf(sql, participant, after, messagesPage)
      const keys = ids.map((id): [string, string] => [participant.organizationId, id])
      yield* record({ erased: yield* eraseMessages(sql, messages, erasure, keys) })
      searched += ids.length
      yield* report({ table: "message_participants", searched, estimated: 0 })
      after = ids.at(-1)
    }
    yield* project
    yield* eraseParticipant(sql, participant, erasure)
    yield* record({ erased: [{ what: "participants", count: 1 }] })
  }
})
