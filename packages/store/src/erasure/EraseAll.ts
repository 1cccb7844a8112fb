import type { SqlClient } from "@effect/sql"
import { addCounts } from "@switchboard/services/erasure/AddCounts"
import type { Erasure, ReportProgress } from "@switchboard/services/erasure/ErasureRepo"
import type { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Clock, Duration, Effect, Number } from "effect"
import { minId } from "../retention/RetentionMarks.js"
import { eraseMessages } from "./EraseMessages.js"
import { eraseParticipant, findParticipants, messagesOf, type PersonAsParticipant } from "./EraseParticipants.js"
import { eraseRows } from "./EraseRows.js"
import { beginRun, endRun, type RunState, saveRun } from "./ErasureRuns.js"
import { type SearchedTable, searchedTables } from "./SearchedTables.js"
import { estimateRows, isInScope, type Key, searchPage } from "./SearchTable.js"

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
