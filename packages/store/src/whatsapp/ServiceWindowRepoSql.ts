import { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { EntryPointSource, ServiceWindowId } from "@switchboard/domain/whatsapp/ServiceWindow"
import { newId } from "@switchboard/services/NewId"
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

/**
 * Opens the window of a participant that wrote, or renews it. It never becomes shorter. The entry point of the message
 * replaces an earlier one unless that is active.
 */
export const renewWindow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  participant: ParticipantId,
  { entryPoint, expiresAt }: Pick<StoredServiceWindow, "entryPoint" | "expiresAt">
) {
  const { id, now } = yield* newId(ServiceWindowId)
  const entryPointEnd = entryPoint === null ? null : DateTime.toDateUtc(entryPoint.expiresAt)
  yield* sql`INSERT INTO whatsapp_service_windows AS w
      (organization_id, id, participant_id, expires_at, entry_point_source, entry_point_expires_at, created_at)
    VALUES (${organization}, ${id}, ${participant}, ${DateTime.toDateUtc(expiresAt)}, ${entryPoint?.source ?? null},
      ${entryPointEnd}, ${DateTime.toDateUtc(now)})
    ON CONFLICT (organization_id, participant_id) DO UPDATE SET expires_at = greatest(w.expires_at, excluded.expires_at),
      (entry_point_source, entry_point_expires_at) = (
        SELECT CASE WHEN kept THEN w.entry_point_source ELSE excluded.entry_point_source END,
          CASE WHEN kept THEN w.entry_point_expires_at ELSE excluded.entry_point_expires_at END
        FROM (SELECT excluded.entry_point_source IS NULL OR w.entry_point_expires_at > now() AS kept) AS k)`
})

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
      findByAddress: (organization, address) =>
        sql`SELECT ${columns} FROM participant_addresses AS a
          JOIN whatsapp_service_windows AS w
            ON w.organization_id = a.organization_id AND w.participant_id = a.participant_id
          WHERE a.organization_id = ${organization} AND a.kind = 'whatsapp' AND a.address = ${address}`.pipe(
          Effect.map(first),
          forRequest
        ),
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
