import { scrypt } from "node:crypto"
import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { addCounts } from "@switchboard/services/erasure/AddCounts"
import type { Erasure, ErasureResult, ReportProgress } from "@switchboard/services/erasure/ErasureRepo"
import type { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Clock, DateTime, Duration, Effect, Number, Option } from "effect"
import { minId } from "../retention/RetentionMarks.js"
import { eraseMessages } from "./EraseMessages.js"
import { eraseRows } from "./EraseRows.js"
import { type SearchedTable, searchedTables } from "./SearchedTables.js"
import { estimateRows, isInScope, type Key, searchPage } from "./SearchTable.js"

/** The point up to which tables are searched, in the order of names: all rows of earlier tables, and rows up to a key. */
interface Position {
  readonly table: string
  readonly after: Key | null
}

/** A run's position and counts. */
interface RunState extends Pick<ErasureResult, "erased" | "left"> {
  readonly position: Position | null
}

interface Row extends RunState {
  readonly startedAt: Date
}

/** An interrupted run is continued within this time; rows that were added since its start may be unsearched. */
const resumable = "7 days"

const idBytes = 32

/** The id of an erasure's run. A slow hash, since addresses can be guessed. */
const idOf = ({ address, organization }: Erasure) =>
  Effect.async<string>((resume) =>
    scrypt(
      addressKey(address),
      `switchboard erasure ${Option.getOrElse(organization, () => "")}`,
      idBytes,
      (error, id) => resume(error === null ? Effect.succeed(id.toString("hex")) : Effect.die(error))
    )
  )

/** Begins the run of an erasure, or continues an interrupted one. */
const beginRun = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, erasure: Erasure) {
  const id = yield* idOf(erasure)
  yield* sql`DELETE FROM erasures WHERE started_at < now() - ${resumable}::interval`
  const begun =
    yield* sql`INSERT INTO erasures (id, started_at) VALUES (${id}, now()) ON CONFLICT DO NOTHING RETURNING 1`
  const [row] = yield* sql<Row>`SELECT started_at AS "startedAt", position, erased, remaining AS left FROM erasures
    WHERE id = ${id}`
  const state: RunState = row ?? { position: null, erased: [], left: [] }
  const continued = begun.length > 0 ? Option.none() : Option.fromNullable(row?.startedAt)
  return { id, continued: Option.map(continued, DateTime.unsafeFromDate), state }
})

/** Stores the position and the counts of a run. */
const saveRun = (sql: SqlClient.SqlClient, id: string, { erased, left, position }: RunState) =>
  sql`UPDATE erasures SET position = ${JSON.stringify(position)}::json, erased = ${JSON.stringify(erased)}::json,
      remaining = ${JSON.stringify(left)}::json
    WHERE id = ${id}`

/** Deletes a complete run. */
const endRun = (sql: SqlClient.SqlClient, id: string) => sql`DELETE FROM erasures WHERE id = ${id}`

/** A participant with the address. An address belongs to one participant of an organization. */
interface PersonAsParticipant {
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

/** Erases the address, name, location and metadata of a participant. */
const eraseParticipant = (
  sql: SqlClient.SqlClient,
  { organizationId, participantId }: PersonAsParticipant,
  { address }: Erasure
) =>
  sql`WITH address AS (
      DELETE FROM participant_addresses WHERE organization_id = ${organizationId} AND kind = 'email'
        AND address = ${addressKey(address)} AND participant_id = ${participantId}
    )
    UPDATE participants SET name = 'Erased', is_named = true, display_name = NULL, country = NULL, region = NULL, metadata = NULL,
      updated_at = now()
    WHERE organization_id = ${organizationId} AND id = ${participantId}`

/** Messages of a participant per page. */
const messagesPage = 200

/** The bounds of the rows that one statement searches. The first page is small, since a row can be a large mail. */
const [minRows, maxRows] = [10, 5_000]

/** The intended duration of a search. */
const pageDuration = Duration.millis(200)

/** The limit of the next page: twice as many rows, or fewer if the page took longer than intended. */
const nextLimit = (limit: number, elapsed: number) =>
  Math.floor(
    Number.clamp(limit * Math.min(2, Duration.toMillis(pageDuration) / Math.max(1, elapsed)), {
      minimum: minRows,
      maximum: maxRows
    })
  )

/** Types of keys that contain no text of people. */
const isStorable = ({ key }: SearchedTable) => key.every(({ type }) => type !== "text")

interface Step {
  readonly state: RunState
  readonly after: Key | null
  readonly limit: number
  readonly searched: number
  readonly isDone: boolean
}

/** Erases an address from all tables, in short transactions. An interrupted run continues at its last page. */
export const eraseAll = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: typeof MessageRepo.Service,
  erasure: Erasure,
  report: ReportProgress
) {
  const save = (state: RunState) => Effect.as(saveRun(sql, id, state), state)

  /** Erases a participant after its messages, which are found by it. */
  const eraseByParticipant = (before: RunState, participant: PersonAsParticipant) =>
    Effect.gen(function* () {
      let state = before
      let searched = 0
      for (let after: string | undefined = minId; after !== undefined; ) {
        const ids: ReadonlyArray<string> = yield* messagesOf(sql, participant, after, messagesPage)
        const keys = ids.map((id): [string, string] => [participant.organizationId, id])
        const counts = yield* eraseMessages(sql, messages, erasure, keys)
        state = yield* save({ ...state, erased: addCounts(state.erased, counts) })
        searched += ids.length
        yield* report({ table: "message_participants", searched, estimated: 0 })
        after = ids.at(-1)
      }
      yield* eraseParticipant(sql, participant, erasure)
      return yield* save({ ...state, erased: addCounts(state.erased, [{ what: "participants", count: 1 }]) })
    })

  const searchTable = (table: SearchedTable, state: RunState) =>
    Effect.gen(function* () {
      const estimated = yield* estimateRows(sql, table, erasure)
      const after = state.position?.table === table.name ? state.position.after : null
      const begin: Step = { state, after, limit: minRows, searched: 0, isDone: false }
      const end = yield* Effect.iterate(begin, {
        while: ({ isDone }) => !isDone,
        body: ({ after, limit, searched, state }) =>
          Effect.gen(function* () {
            const startedAt = yield* Clock.currentTimeMillis
            const page = yield* searchPage(sql, table, erasure, after, limit)
            const elapsed = (yield* Clock.currentTimeMillis) - startedAt
            const counts = table.isSettings ? [] : yield* eraseRows(sql, messages, table, erasure, page.found)
            const left = table.isSettings ? [{ what: table.name, count: page.found.length }] : []
            const next = yield* save({
              position: { table: table.name, after: isStorable(table) ? page.last : null },
              erased: addCounts(state.erased, counts),
              left: addCounts(state.left, left)
            })
            yield* report({ table: table.name, searched: searched + page.rows, estimated })
            return {
              state: next,
              after: page.last,
              limit: nextLimit(limit, elapsed),
              searched: searched + page.rows,
              isDone: page.rows < limit
            }
          })
      })
      return end.state
    })

  const { continued, id, state } = yield* beginRun(sql, erasure)
  const participants = yield* findParticipants(sql, erasure)
  const begin = yield* Effect.reduce(participants, state, eraseByParticipant)
  const tables = (yield* searchedTables(sql)).filter(
    (table) => isInScope(table, erasure) && table.name >= (state.position?.table ?? "")
  )
  const { erased, left } = yield* Effect.reduce(tables, begin, (state, table) => searchTable(table, state))
  yield* endRun(sql, id)
  return { erased, left, continued }
})
