import { SqlClient } from "@effect/sql"
import { page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import type { CallRun, StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import { VoiceCallRepo } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts } from "../../database/Unavailable.js"
import { dropCallWork, queueCall, wakeCall } from "./CallWork.js"
import { tellOfCall } from "./TellOfCall.js"
import { callColumns, callFromRow, callProgressColumns, callRow } from "./VoiceCallRows.js"

const insertCall = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, call: StoredCall, run: CallRun) {
  yield* sql`INSERT INTO voice_calls ${sql.insert(callRow(call))}`
  yield* sql`INSERT INTO voice_call_runs ${sql.insert({
    organization_id: call.organizationId,
    call_id: call.id,
    script: JSON.stringify(run.script),
    api_key_id: run.apiKeyId,
    may_send_messages: run.maySendMessages,
    rung: null,
    progress: null
  })}`
  yield* queueCall(sql, call)
})

/** Calls in `voice_calls`, and what it takes to go on with them in `voice_call_runs`. */
export const VoiceCallRepoSql = Layer.effect(
  VoiceCallRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(callColumns)
    const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), callFromRow)

    return {
      place: (call, run) => insertCall(sql, call, run).pipe(sql.withTransaction, retryConflicts, forCaller),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM voice_calls WHERE organization_id = ${organization} AND id = ${id}`.pipe(
          Effect.map(first),
          forCaller
        ),
      list: (organization, { direction, status, voiceAgentId }, request) =>
        Effect.gen(function* () {
          const where = sql.and([
            sql`organization_id = ${organization}`,
            ...(status === undefined ? [] : [sql`status = ${status}`]),
            ...(direction === undefined ? [] : [sql`direction = ${direction}`]),
            ...(voiceAgentId === undefined ? [] : [sql`voice_agent_id = ${voiceAgentId}`])
          ])
          const rows = yield* sql`SELECT ${columns} FROM voice_calls WHERE ${where}
            ORDER BY id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM voice_calls WHERE ${where}`
          return page(yield* readableRows(rows, callFromRow), count?.total ?? 0, request)
        }).pipe(forCaller),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM voice_calls
              WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          )
          if (Option.isNone(present)) return false
          const { call, events, work } = yield* decide(present.value)
          yield* sql`UPDATE voice_calls SET ${sql.update(callProgressColumns(call))}
            WHERE organization_id = ${organization} AND id = ${id}`
          if (work === "now") yield* wakeCall(sql, call)
          if (work === "never") yield* dropCallWork(sql, call)
          yield* tellOfCall(sql, call, events)
          return true
        }).pipe(sql.withTransaction, retryConflicts, forCaller)
    }
  })
)
