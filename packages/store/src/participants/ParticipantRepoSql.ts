import { SqlClient } from "@effect/sql"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { Effect, Layer, Option } from "effect"
import { containsText, findsText } from "../ContainsText.js"
import { forRequest, retryConflicts } from "../database/Unavailable.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { searched } from "../SearchIds.js"
import { selectPage } from "../SelectPage.js"
import { participantColumns, participantFromRow, selectParticipants } from "./ParticipantRows.js"
import { changeParticipant, insertParticipant, lockParticipant, removeParticipant } from "./WriteParticipants.js"

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
      list: (organization, { search, type }, request) =>
        Effect.gen(function* () {
          const found = yield* searched(
            sql,
            "p.id",
            search === undefined
              ? undefined
              : {
                  select: sql`SELECT p.id FROM participants AS p
                      WHERE p.organization_id = ${organization} AND p.is_named AND ${findsText(sql, search, nameColumns)}
                    UNION ALL SELECT a.participant_id FROM participant_addresses AS a
                      WHERE a.organization_id = ${organization} AND ${findsText(sql, search, ["a.address"])}`,
                  tests: {
                    where: [
                      sql.or([
                        containsText(sql, search, nameColumns),
                        sql`EXISTS (SELECT FROM participant_addresses AS a WHERE a.organization_id = ${organization}
                          AND a.participant_id = p.id AND ${containsText(sql, search, ["a.address"])})`
                      ])
                    ]
                  }
                }
          )
          return yield* selectPage(sql, request, {
            columns: participantColumns,
            tables: "participants AS p",
            where: [
              sql`p.organization_id = ${organization}`,
              ...(type === undefined ? [] : [sql`p.type = ${type}`]),
              ...found.where
            ],
            tests: found.tests,
            id: "p.id",
            read: participantFromRow
          })
        }).pipe(forRequest),
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
