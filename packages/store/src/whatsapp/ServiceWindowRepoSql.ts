import { SqlClient } from "@effect/sql"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { EntryPointSource, ServiceWindowId } from "@switchboard/domain/whatsapp/ServiceWindow"
import { ServiceWindowRepo, type StoredServiceWindow } from "@switchboard/services/whatsapp/ServiceWindowRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { forRequest, retryConflicts, violatesReference } from "../database/Unavailable.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { selectPage } from "../Lists.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: ServiceWindowId,
    participantId: ParticipantId,
    expiresAt: Schema.DateTimeUtcFromDate,
    source: Schema.NullOr(EntryPointSource),
    entryPointExpiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
  })
)

const columnsText = `w.id, w.participant_id AS "participantId", w.expires_at AS "expiresAt",
  w.entry_point_source AS source, w.entry_point_expires_at AS "entryPointExpiresAt"`

const fromRow = (row: object): StoredServiceWindow => {
  const { entryPointExpiresAt: expiresAt, source, ...window } = decode(row)
  return { ...window, entryPoint: source === null || expiresAt === null ? null : { source, expiresAt } }
}

const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), fromRow)

/** Windows in the table `whatsapp_service_windows`. */
export const ServiceWindowRepoSql = Layer.effect(
  ServiceWindowRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsText)

    return {
      open: (organization, participant, { at, expiresAt, id }) =>
        sql`INSERT INTO whatsapp_service_windows AS w (organization_id, id, participant_id, expires_at, created_at)
          VALUES (${organization}, ${id}, ${participant}, ${DateTime.toDateUtc(expiresAt)}, ${DateTime.toDateUtc(at)})
          ON CONFLICT (organization_id, participant_id)
            DO UPDATE SET expires_at = greatest(w.expires_at, excluded.expires_at)
          RETURNING ${columns}`.pipe(
          Effect.map(first),
          Effect.catchIf(
            (error) => violatesReference(error, "whatsapp_service_windows_participant_fkey"),
            () => Effect.succeedNone
          ),
          withCreationKey(sql, (opened) => (Option.isSome(opened) ? opened.value.id : null)),
          forRequest
        ),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM whatsapp_service_windows AS w
          WHERE w.organization_id = ${organization} AND w.id = ${id}`.pipe(Effect.map(first), forRequest),
      list: (organization, { participantId }, request) =>
        Effect.gen(function* () {
          const where = [
            sql`w.organization_id = ${organization}`,
            ...(participantId === undefined ? [] : [sql`w.participant_id = ${participantId}`])
          ]
          return yield* selectPage(sql, request, {
            columns: columnsText,
            tables: "whatsapp_service_windows AS w",
            where,
            id: "w.id",
            read: fromRow
          })
        }).pipe(forRequest),
      activate: (organization, id, decide) =>
        Effect.gen(function* () {
          const found = first(
            yield* sql`SELECT ${columns} FROM whatsapp_service_windows AS w
              WHERE w.organization_id = ${organization} AND w.id = ${id} FOR UPDATE`
          )
          if (Option.isNone(found)) return Option.none()
          const entryPoint = yield* decide(found.value)
          yield* sql`UPDATE whatsapp_service_windows SET entry_point_source = ${entryPoint?.source ?? null},
              entry_point_expires_at = ${entryPoint === null ? null : DateTime.toDateUtc(entryPoint.expiresAt)}
            WHERE organization_id = ${organization} AND id = ${id}`
          return Option.some({ ...found.value, entryPoint })
        }).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
