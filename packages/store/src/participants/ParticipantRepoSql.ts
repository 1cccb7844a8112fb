import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { ConflictError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type ChannelIdentities, Participant, type ParticipantId } from "@switchboard/domain/participants/Participant"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { forRequest, retryConflicts } from "../database/Unavailable.js"
import { containsText, filtered, filterOn, findsText, type Source } from "../Filters.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { selectPage } from "../Lists.js"
import { participantColumns, participantFromRow, selectParticipants } from "./ParticipantRows.js"

/** An address that identifies a participant. */
interface Address {
  readonly kind: string
  readonly address: string
}

/** An address that belongs to a participant. */
interface TakenAddress extends Address {
  readonly owner: ParticipantId
  /** Whether the owner was created from a mail and no request has completed it. */
  readonly isUnknown: boolean
}

/** Addresses in a fixed order, so that concurrent transactions do not deadlock. */
const addressesOf = (identities: ChannelIdentities): ReadonlyArray<Address> =>
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
const claimAddresses = (
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

const conflict = (message: string) => new ConflictError({ message, resource: "participant" })

const isTaken = ({ address, owner }: TakenAddress) => conflict(`${address} belongs to the participant ${owner}`)

const updateParticipant = (sql: SqlClient.SqlClient, participant: Participant) =>
  sql`UPDATE participants SET name = ${participant.name}, display_name = ${participant.displayName ?? null},
      country = ${participant.country ?? null}, region = ${participant.region ?? null},
      metadata = ${participant.metadata === undefined ? null : JSON.stringify(participant.metadata)}::jsonb,
      is_given = true, is_named = true, updated_at = ${DateTime.toDateUtc(participant.updatedAt)}
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
const lockParticipant = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ParticipantId) =>
  Effect.map(
    sql`SELECT ${sql.literal(participantColumns)} FROM participants AS p
      WHERE p.organization_id = ${organization} AND p.id = ${id} FOR UPDATE OF p`,
    ([row]) => Option.map(Option.fromNullable(row), participantFromRow)
  )

/**
 * Stores a participant. If one of its addresses belongs to a participant that was created from a mail, that one is
 * updated and keeps its id, to which messages refer. Requires a transaction.
 */
const insertParticipant = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, participant: Participant) {
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
const changeParticipant = Effect.fnUntraced(function* (
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
const removeParticipant = Effect.fnUntraced(function* (
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

const participants: Source = { table: "participants", alias: "p", id: "id" }

const nameColumns = ["p.name", "p.display_name"]

/** Participants in the tables `participants` and `participant_addresses`. */
export const ParticipantRepoSql = Layer.effect(
  ParticipantRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(participantColumns)
    return {
      findMany: (organization, ids) => forRequest(selectParticipants(sql, organization, ids)),
      insert: (participant) =>
        insertParticipant(sql, participant).pipe(
          sql.withTransaction,
          withCreationKey(sql, () => participant.id),
          retryConflicts,
          forRequest
        ),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM participants AS p WHERE p.organization_id = ${organization} AND p.id = ${id}`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), participantFromRow)),
          forRequest
        ),
      list: (organization, { search, type }, request) => {
        const searches = filterOn(
          participants,
          search,
          (text) =>
            sql.or([
              containsText(sql, text, nameColumns),
              sql`EXISTS (SELECT FROM participant_addresses AS a WHERE a.organization_id = ${organization}
                AND a.participant_id = p.id AND ${containsText(sql, text, ["a.address"])})`
            ]),
          (text) => sql`p.id IN (
            SELECT p.id FROM participants AS p
            WHERE p.organization_id = ${organization} AND p.is_named AND ${findsText(sql, text, nameColumns)}
            UNION ALL SELECT a.participant_id FROM participant_addresses AS a
            WHERE a.organization_id = ${organization} AND ${findsText(sql, text, ["a.address"])})`
        )
        return selectPage(sql, request, {
          ...filtered(sql, organization, {
            all: participants,
            ordered: filterOn(participants, type, (value) => sql`p.type = ${value}`),
            tests: searches,
            rows: [participants]
          }),
          columns: participantColumns,
          read: participantFromRow
        }).pipe(forRequest)
      },
      change: (organization, id, change) =>
        Effect.gen(function* () {
          const before = yield* lockParticipant(sql, organization, id)
          if (Option.isNone(before)) return before
          const after = change(before.value)
          yield* changeParticipant(sql, before.value, after)
          return Option.some(after)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      remove: (organization, id) =>
        removeParticipant(sql, organization, id).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
