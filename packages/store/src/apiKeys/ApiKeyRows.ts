import type { SqlClient } from "@effect/sql"
import { ApiKey, ApiKeyId, maskedKey } from "@switchboard/domain/apiKeys/ApiKey"
import type { ApiKeyFilters } from "@switchboard/domain/apiKeys/ApiKeyRequests"
import { Permissions, RoleName } from "@switchboard/domain/apiKeys/Permission"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Schema } from "effect"
import { found } from "../Search.js"

/** A row's null is a field that is left out. */
const nullable = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

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

export const apiKeyColumns = `id, name, start, description, organization_id AS "organizationId",
  role_name AS "roleName", permissions, is_active AS "isActive", created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt"`

/** A key from its row. */
export const apiKeyFromRow = (row: object): ApiKey => {
  const stored = decode(row)
  return new ApiKey({ ...stored, key: maskedKey(stored.start) }, { disableValidation: true })
}

/** A page of an organization's keys, newest first: their ids sort by creation. */
export const listApiKeys = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { isActive, search }: ApiKeyFilters,
  request: PageRequest
) {
  const where = sql.and([
    sql`organization_id = ${organization} AND removed_at IS NULL`,
    ...(isActive === undefined ? [] : [sql`is_active = ${isActive}`]),
    ...(search === undefined ? [] : [found(sql, search, ["name", "description", "start"])])
  ])
  const rows = yield* sql`SELECT ${sql.literal(apiKeyColumns)} FROM api_keys WHERE ${where}
    ORDER BY id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
  const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total FROM api_keys WHERE ${where}`
  return page(yield* readableRows(rows, apiKeyFromRow), count?.total ?? 0, request)
})
