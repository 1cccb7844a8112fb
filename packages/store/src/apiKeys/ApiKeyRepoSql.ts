import { SqlClient } from "@effect/sql"
import { ApiKey, type ApiKeyFilters, ApiKeyId, maskedKey } from "@switchboard/domain/apiKeys/ApiKey"
import { Permissions, RoleName } from "@switchboard/domain/apiKeys/Permission"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { ApiKeyRepo, type ChangedApiKey } from "@switchboard/services/apiKeys/ApiKeyRepo"
import type { StorableApiKey } from "@switchboard/services/apiKeys/NewApiKey"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { lookUpTogether } from "../database/LookUpTogether.js"
import { prepared } from "../database/Prepared.js"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { insertEvents } from "../events/InsertEvents.js"
import { containsText } from "../Filters.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { selectPage } from "../Lists.js"
import { nullable } from "../RowMapping.js"

/** Stores a key with the hash of its value. */
export const insertApiKey = (sql: SqlClient.SqlClient, { apiKey: key, hash }: StorableApiKey) =>
  Effect.asVoid(sql`INSERT INTO api_keys (id, organization_id, name, description, role_name, start, hash, permissions,
      is_active, expires_at, created_at, updated_at)
    VALUES (${key.id}, ${key.organizationId ?? null}, ${key.name}, ${key.description ?? null}, ${key.roleName ?? null},
      ${key.start}, ${hash}, ${JSON.stringify(key.permissions)}::jsonb, ${key.isActive},
      ${key.expiresAt === undefined ? null : DateTime.toDateUtc(key.expiresAt)}, ${DateTime.toDateUtc(key.createdAt)},
      ${DateTime.toDateUtc(key.createdAt)})`)

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: ApiKeyId,
    name: Schema.String,
    start: Schema.String,
    description: nullable(Schema.String),
    organizationId: nullable(OrganizationId),
    roleName: nullable(RoleName),
    permissions: Permissions,
    isActive: Schema.Boolean,
    createdAt: Schema.DateTimeUtcFromDate,
    expiresAt: nullable(Schema.DateTimeUtcFromDate),
    lastUsedAt: nullable(Schema.DateTimeUtcFromDate)
  })
)

const apiKeyColumns = `id, name, start, description, organization_id AS "organizationId",
  role_name AS "roleName", permissions, is_active AS "isActive", created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt"`

/** SQL: a key that callers manage. The keys of users are changed with their users only. */
const isManaged = "removed_at IS NULL AND NOT EXISTS (SELECT FROM users AS u WHERE u.api_key_id = api_keys.id)"

/** Decodes a key. */
const apiKeyFromRow = (row: object): ApiKey => {
  const stored = decode(row)
  return new ApiKey({ ...stored, key: maskedKey(stored.start) }, { disableValidation: true })
}

/** A page of an organization's keys, newest first (ids sort by creation time). */
const listApiKeys = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { isActive, search }: ApiKeyFilters,
  request: PageRequest
) {
  const where = [
    sql`organization_id = ${organization} AND ${sql.literal(isManaged)}`,
    ...(isActive === undefined ? [] : [sql`is_active = ${isActive}`]),
    ...(search === undefined ? [] : [containsText(sql, search, ["name", "description", "start"])])
  ]
  return yield* selectPage(sql, request, {
    columns: apiKeyColumns,
    tables: "api_keys",
    where,
    id: "id",
    read: apiKeyFromRow
  })
})

const time = (at: DateTime.Utc | null | undefined) => (at ? DateTime.toDateUtc(at) : null)

/** Replaced values that are valid. The one nearest its end is dropped for a further one. */
const maxReplacedValues = 10

/** Gives a locked key a new value. Without a grace period the replaced value is invalid at once. */
const rotateStatement = /* sql */ `
WITH present AS MATERIALIZED (
  SELECT hash, previous_hash, previous_until FROM api_keys WHERE id = $1
), valid AS MATERIALIZED (
  SELECT hash FROM (
    SELECT hash, $4::timestamptz AS valid_until FROM present
    UNION ALL SELECT previous_hash, previous_until FROM present
    UNION ALL SELECT hash, valid_until FROM earlier_key_values WHERE api_key_id = $1
  ) AS replaced WHERE valid_until > now() ORDER BY valid_until DESC LIMIT $5
), dropped AS (
  DELETE FROM earlier_key_values WHERE api_key_id = $1 AND hash NOT IN (SELECT hash FROM valid)
), moved AS (
  INSERT INTO earlier_key_values (api_key_id, hash, valid_until)
  SELECT $1, previous_hash, previous_until FROM present WHERE previous_hash IN (SELECT hash FROM valid)
)
UPDATE api_keys AS k SET hash = $2, start = $3, previous_until = $4,
  previous_hash = (SELECT v.hash FROM valid AS v WHERE v.hash = k.hash)
WHERE id = $1`

/** Stores a changed key. A removed key keeps its row, which its activity refers to. */
const updateApiKey = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { apiKey, events, removed, rotated }: ChangedApiKey
) {
  yield* sql`UPDATE api_keys SET name = ${apiKey.name}, description = ${apiKey.description ?? null},
      role_name = ${apiKey.roleName ?? null}, permissions = ${JSON.stringify(apiKey.permissions)}::jsonb,
      is_active = ${apiKey.isActive}, expires_at = ${time(apiKey.expiresAt)}, updated_at = now()
    WHERE id = ${apiKey.id}`
  if (rotated !== null) {
    yield* sql.unsafe(rotateStatement, [
      apiKey.id,
      rotated.hash,
      apiKey.start,
      time(rotated.previousUntil),
      maxReplacedValues
    ])
  }
  if (removed) {
    yield* sql`DELETE FROM earlier_key_values WHERE api_key_id = ${apiKey.id}`
    yield* sql`UPDATE api_keys SET removed_at = now(), previous_hash = NULL WHERE id = ${apiKey.id}`
  }
  if (events.length > 0) yield* insertEvents(sql, events)
})

const identity = Schema.decodeUnknownSync(
  Schema.Struct({ id: ApiKeyId, organizationId: Schema.NullOr(OrganizationId), permissions: Permissions })
)

const identityColumns = `k.id, k.organization_id AS "organizationId", k.permissions`
const alive = "k.is_active AND k.removed_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())"

/** A row for each hash, in order. A UNION instead of OR: each part is one lookup in an index. */
const activeStatement = prepared(
  "find_active_keys",
  /* sql */ `
SELECT k.* FROM unnest($1::text[]) WITH ORDINALITY AS w(hash, place)
  LEFT JOIN LATERAL (
    SELECT ${identityColumns} FROM api_keys AS k WHERE k.hash = w.hash AND ${alive}
    UNION ALL
    SELECT ${identityColumns} FROM api_keys AS k
    WHERE k.previous_hash = w.hash AND k.previous_until > now() AND ${alive}
    UNION ALL
    SELECT ${identityColumns} FROM earlier_key_values AS e JOIN api_keys AS k ON k.id = e.api_key_id
    WHERE e.hash = w.hash AND e.valid_until > now() AND ${alive}
    LIMIT 1
  ) AS k ON true
ORDER BY w.place`
)

/** Keys that one statement marks as used. */
const touchBatch = 500

/** Rows are locked in the order of ids: other processes mark the same keys. */
const touchStatement = /* sql */ `
WITH uses AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS u(id uuid, at timestamptz)
), locked AS MATERIALIZED (
  SELECT id FROM api_keys WHERE id IN (SELECT id FROM uses) ORDER BY id FOR NO KEY UPDATE
)
UPDATE api_keys AS k SET last_used_at = greatest(k.last_used_at, u.at)
FROM uses AS u JOIN locked AS l ON l.id = u.id WHERE k.id = u.id`

/** Keys in the table `api_keys`. */
export const ApiKeyRepoSql = Layer.scoped(
  ApiKeyRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(apiKeyColumns)
    const managed = sql.literal(isManaged)
    const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), apiKeyFromRow)

    const findActive = yield* lookUpTogether((hashes: ReadonlyArray<string>) =>
      Effect.map(sql.unsafe<{ readonly id: string | null }>(activeStatement, [hashes]), (rows) =>
        rows.map((row) => (row.id === null ? Option.none() : Option.some(identity(row))))
      )
    )

    return {
      findActive,
      insert: (key, events) =>
        insertApiKey(sql, key).pipe(
          Effect.zipRight(events.length === 0 ? Effect.succeed([]) : insertEvents(sql, events)),
          sql.withTransaction,
          withCreationKey(sql, () => key.apiKey.id),
          Effect.asVoid,
          forRequest
        ),
      find: (organization, id) =>
        forRequest(
          Effect.map(
            sql`SELECT ${columns} FROM api_keys
              WHERE organization_id = ${organization} AND id = ${id} AND ${managed}`,
            first
          )
        ),
      list: (organization, filters, request) => forRequest(listApiKeys(sql, organization, filters, request)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM api_keys
              WHERE organization_id = ${organization} AND id = ${id} AND ${managed} FOR UPDATE`
          )
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* updateApiKey(sql, changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, forRequest),
      listAll: forRequest(
        Effect.map(sql`SELECT ${columns} FROM api_keys WHERE ${managed} ORDER BY created_at DESC, id DESC`, (rows) =>
          rows.map(apiKeyFromRow)
        )
      ),
      revoke: (id, makeEvents) =>
        Effect.gen(function* () {
          const present = first(yield* sql`SELECT ${columns} FROM api_keys WHERE id = ${id} AND ${managed} FOR UPDATE`)
          if (Option.isNone(present)) return false
          const apiKey = present.value
          yield* updateApiKey(sql, { apiKey, rotated: null, removed: true, events: yield* makeEvents(apiKey) })
          return true
        }).pipe(sql.withTransaction, forRequest),
      touch: (used) =>
        Effect.forEach(
          Array.chunksOf(used, touchBatch),
          (uses) => sql.unsafe(touchStatement, [JSON.stringify(uses)]).pipe(retryConflicts, orUnavailable),
          { discard: true }
        )
    }
  })
)
