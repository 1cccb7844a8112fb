import { SqlClient } from "@effect/sql"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { Permissions } from "@switchboard/domain/apiKeys/Permission"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ApiKeyRepo, type ChangedApiKey } from "@switchboard/services/apiKeys/ApiKeyRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { forCaller, orUnavailable } from "../database/Unavailable.js"
import { insertEvents } from "../events/InsertEvents.js"
import { apiKeyColumns, apiKeyFromRow, listApiKeys } from "./ApiKeyRows.js"
import { insertApiKey } from "./InsertApiKey.js"

const time = (at: DateTime.Utc | null | undefined) => (at ? DateTime.toDateUtc(at) : null)

/** Writes what became of a key. The row of a removed one stays: what it did still names it. */
const updateApiKey = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { apiKey, events, removed, rotated }: ChangedApiKey
) {
  yield* sql`UPDATE api_keys SET name = ${apiKey.name}, description = ${apiKey.description ?? null},
      role_name = ${apiKey.roleName ?? null}, permissions = ${JSON.stringify(apiKey.permissions)}::jsonb,
      is_active = ${apiKey.isActive}, expires_at = ${time(apiKey.expiresAt)}, updated_at = now()
    WHERE id = ${apiKey.id}`
  if (rotated !== null) {
    // Without a grace the value is forgotten at once.
    yield* sql`UPDATE api_keys SET previous_hash = CASE WHEN ${rotated.previousUntil !== null} THEN hash END,
        previous_until = ${time(rotated.previousUntil)}, hash = ${rotated.hash}, start = ${apiKey.start}
      WHERE id = ${apiKey.id}`
  }
  if (removed) yield* sql`UPDATE api_keys SET removed_at = now(), previous_hash = NULL WHERE id = ${apiKey.id}`
  if (events.length > 0) yield* insertEvents(sql, events)
})

const identity = Schema.decodeUnknownSync(
  Schema.Struct({ id: ApiKeyId, organizationId: Schema.NullOr(OrganizationId), permissions: Permissions })
)

// Two halves, so that each is one step into its own index.
const identityColumns = `k.id, k.organization_id AS "organizationId", k.permissions`
const alive = "k.is_active AND k.removed_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())"

/** Keys in the table `api_keys`. */
export const ApiKeyRepoSql = Layer.effect(
  ApiKeyRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(apiKeyColumns)
    const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), apiKeyFromRow)

    return {
      findActive: (hash) =>
        forCaller(
          Effect.map(
            sql`SELECT ${sql.literal(identityColumns)} FROM api_keys AS k WHERE k.hash = ${hash} AND ${sql.literal(alive)}
              UNION ALL
              SELECT ${sql.literal(identityColumns)} FROM api_keys AS k
              WHERE k.previous_hash = ${hash} AND k.previous_until > now() AND ${sql.literal(alive)}`,
            ([row]) => (row === undefined ? Option.none() : Option.some(identity(row)))
          )
        ),
      insert: (key, events) =>
        insertApiKey(sql, key).pipe(
          Effect.zipRight(events.length === 0 ? Effect.succeed([]) : insertEvents(sql, events)),
          sql.withTransaction,
          Effect.asVoid,
          forCaller
        ),
      find: (organization, id) =>
        forCaller(
          Effect.map(
            sql`SELECT ${columns} FROM api_keys
              WHERE organization_id = ${organization} AND id = ${id} AND removed_at IS NULL`,
            first
          )
        ),
      list: (organization, filters, request) => forCaller(listApiKeys(sql, organization, filters, request)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM api_keys
              WHERE organization_id = ${organization} AND id = ${id} AND removed_at IS NULL FOR UPDATE`
          )
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* updateApiKey(sql, changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, forCaller),
      listAll: forCaller(
        Effect.map(
          sql`SELECT ${columns} FROM api_keys WHERE removed_at IS NULL ORDER BY created_at DESC, id DESC`,
          (rows) => rows.map(apiKeyFromRow)
        )
      ),
      revoke: (id, tell) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM api_keys WHERE id = ${id} AND removed_at IS NULL FOR UPDATE`
          )
          if (Option.isNone(present)) return false
          const apiKey = present.value
          yield* updateApiKey(sql, { apiKey, rotated: null, removed: true, events: yield* tell(apiKey) })
          return true
        }).pipe(sql.withTransaction, forCaller),
      touch: (used) =>
        orUnavailable(
          Effect.asVoid(sql`UPDATE api_keys AS k SET last_used_at = greatest(k.last_used_at, u.at)
            FROM json_to_recordset(${JSON.stringify(used)}::json) AS u(id uuid, at timestamptz) WHERE k.id = u.id`)
        )
    }
  })
)
