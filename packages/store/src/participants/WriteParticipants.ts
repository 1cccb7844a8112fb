import type { SqlClient } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Participant, type ParticipantId } from "@switchboard/domain/participants/Participant"
import { DateTime, Effect, Option } from "effect"
import { type Address, addressesOf, claimAddresses, type TakenAddress } from "./ClaimAddresses.js"
import { participantColumns, participantFromRow } from "./ParticipantRows.js"

const conflict = (message: string) => new ConflictError({ message, resource: "participant" })

const isTaken = ({ address, owner }: TakenAddress) => conflict(`${address} belongs to the participant ${owner}`)

const updateParticipant = (sql: SqlClient.SqlClient, participant: Participant) =>
  sql`UPDATE participants SET name = ${participant.name}, display_name = ${participant.displayName ?? null},
      country = ${participant.country ?? null}, region = ${participant.region ?? null},
      metadata = ${participant.metadata === undefined ? null : JSON.stringify(participant.metadata)}::jsonb,
      is_given = true, updated_at = ${DateTime.toDateUtc(participant.updatedAt)}
    WHERE organization_id = ${participant.organizationId} AND id = ${participant.id}`

const dropAddresses = (
  sql: SqlClient.SqlClient,
  { id, organizationId }: Participant,
  addresses: ReadonlyArray<Address>
) =>
  addresses.length === 0
    ? Effect.void
    : sql`DELETE FROM participant_addresses AS a
        USING json_to_recordset(${JSON.stringify(addresses)}::json) AS g(kind text, address text)
        WHERE a.organization_id = ${organizationId} AND a.kind = g.kind AND a.address = g.address
          AND a.participant_id = ${id}`

/** Finds an organization's participant, and locks it. */
export const lockParticipant = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ParticipantId) =>
  Effect.map(
    sql`SELECT ${sql.literal(participantColumns)} FROM participants AS p
      WHERE p.organization_id = ${organization} AND p.id = ${id} FOR UPDATE OF p`,
    ([row]) => Option.map(Option.fromNullable(row), participantFromRow)
  )

/**
 * Stores a participant. If one of its addresses belongs to a participant that was created from a mail, that one is
 * updated and keeps its id, to which messages refer. Requires a transaction.
 */
export const insertParticipant = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, participant: Participant) {
  const { createdAt, id, name, organizationId, type, updatedAt } = participant
  const addresses = addressesOf(participant.channelIdentities)
  const [first, ...taken] = yield* claimAddresses(sql, organizationId, id, addresses)
  if (first === undefined) {
    yield* sql`INSERT INTO participants ${sql.insert({
      organization_id: organizationId,
      id,
      name,
      type,
      created_at: DateTime.toDateUtc(createdAt),
      updated_at: DateTime.toDateUtc(updatedAt)
    })}`
    yield* updateParticipant(sql, participant)
    return participant
  }
  const owned = [first, ...taken].find(({ isUnknown, owner }) => !isUnknown || owner !== first.owner)
  if (owned !== undefined) return yield* isTaken(owned)
  yield* sql`UPDATE participant_addresses SET participant_id = ${first.owner}
    WHERE organization_id = ${organizationId} AND participant_id = ${id}`
  yield* updateParticipant(sql, new Participant({ ...participant, id: first.owner }, { disableValidation: true }))
  const completed = yield* lockParticipant(sql, organizationId, first.owner)
  return Option.getOrElse(completed, () => participant)
})

/** Stores changes of a locked participant. Requires a transaction. */
export const changeParticipant = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  before: Participant,
  after: Participant
) {
  const [had, has] = [addressesOf(before.channelIdentities), addressesOf(after.channelIdentities)]
  const without = (all: ReadonlyArray<Address>, some: ReadonlyArray<Address>) =>
    all.filter(({ address, kind }) => !some.some((one) => one.kind === kind && one.address === address))
  yield* dropAddresses(sql, before, without(had, has))
  const [taken] = yield* claimAddresses(sql, before.organizationId, before.id, without(has, had))
  if (taken !== undefined) return yield* isTaken(taken)
  yield* updateParticipant(sql, after)
})

const usesStatement = /* sql */ `
SELECT EXISTS (SELECT FROM message_participants WHERE organization_id = $1 AND participant_id = $2) AS messages,
  EXISTS (SELECT FROM conversation_participants WHERE organization_id = $1 AND participant_id = $2) AS conversations`

/**
 * Aborts concurrent sends that have read the participant: they retry and find it removed. A send that committed before
 * names the participant already.
 */
const invalidateSends = (sql: SqlClient.SqlClient, organization: OrganizationId) =>
  sql`UPDATE organization_usage SET participants_removed = participants_removed + 1
    WHERE organization_id = ${organization}`

/** Removes a participant with its addresses. Returns false if it does not exist. Requires a transaction. */
export const removeParticipant = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: ParticipantId
) {
  if (Option.isNone(yield* lockParticipant(sql, organization, id))) return false
  yield* invalidateSends(sql, organization)
  const [uses] = yield* sql.unsafe<{ readonly messages: boolean; readonly conversations: boolean }>(usesStatement, [
    organization,
    id
  ])
  if (uses?.messages) return yield* conflict("Messages name this participant: delete them first")
  if (uses?.conversations) return yield* conflict("Conversations have this participant: remove it from them first")
  yield* sql`DELETE FROM participant_addresses WHERE organization_id = ${organization} AND participant_id = ${id}`
  yield* sql`DELETE FROM participants WHERE organization_id = ${organization} AND id = ${id}`
  return true
})
