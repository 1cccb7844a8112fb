import { SqlClient } from "@effect/sql"
import { page } from "@switchboard/domain/Page"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts } from "../database/Unavailable.js"
import { found } from "../Search.js"
import { participantColumns, participantFromRow, selectParticipants } from "./ParticipantRows.js"
import { changeParticipant, insertParticipant, lockParticipant, removeParticipant } from "./WriteParticipants.js"

/** People in the tables `participants` and `participant_addresses`. */
export const ParticipantRepoSql = Layer.effect(
  ParticipantRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(participantColumns)
    return {
      findMany: (organization, ids) => forCaller(selectParticipants(sql, organization, ids)),
      insert: (participant) => insertParticipant(sql, participant).pipe(sql.withTransaction, retryConflicts, forCaller),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM participants AS p WHERE p.organization_id = ${organization} AND p.id = ${id}`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), participantFromRow)),
          forCaller
        ),
      list: (organization, { search, type }, request) =>
        Effect.gen(function* () {
          const where = sql.and([
            sql`p.organization_id = ${organization}`,
            ...(type === undefined ? [] : [sql`p.type = ${type}`]),
            ...(search === undefined
              ? []
              : [
                  sql.or([
                    found(sql, search, ["p.name", "p.display_name"]),
                    sql`p.id IN (SELECT a.participant_id FROM participant_addresses AS a
                      WHERE a.organization_id = ${organization} AND ${found(sql, search, ["a.address"])})`
                  ])
                ])
          ])
          // What is shown of each is looked up for the page alone.
          const rows = yield* sql`SELECT ${columns} FROM (
              SELECT * FROM participants AS p WHERE ${where}
              ORDER BY p.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}
            ) AS p ORDER BY p.id DESC`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM participants AS p WHERE ${where}`
          return page(yield* readableRows(rows, participantFromRow), count?.total ?? 0, request)
        }).pipe(forCaller),
      change: (organization, id, change) =>
        Effect.gen(function* () {
          const before = yield* lockParticipant(sql, organization, id)
          if (Option.isNone(before)) return before
          const after = change(before.value)
          yield* changeParticipant(sql, before.value, after)
          return Option.some(after)
        }).pipe(sql.withTransaction, retryConflicts, forCaller),
      remove: (organization, id) =>
        removeParticipant(sql, organization, id).pipe(sql.withTransaction, retryConflicts, forCaller)
    }
  })
)
