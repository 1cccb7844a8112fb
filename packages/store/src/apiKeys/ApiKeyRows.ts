import type { SqlClient } from "@effect/sql"
import { ApiKey, ApiKeyId, maskedKey } from "@switchboard/domain/apiKeys/ApiKey"
import type { ApiKeyFilters } from "@switchboard/domain/apiKeys/ApiKeyRequests"
import { Permissions, RoleName } from "@switchboard/domain/apiKeys/Permission"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { Effect, Schema } from "effect"
import { containsText } from "../ContainsText.js"
import { selectPage } from "../SelectPage.js"

/** NULL in a column is an absent field. */
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

/** Decodes a key. */
export const apiKeyFromRow = (row: object): ApiKey => {
  const stored = decode(row)
  return new ApiKey({ ...stored, key: maskedKey(stored.start) }, { disableValidation: true })
}

/** A page of an organization's keys, newest first (ids sort by creation time). */
export const listApiKeys = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { isActive, search }: ApiKeyFilters,
  request: PageRequest
) {
  const where = [
    sql`organization_id = ${organization} AND removed_at IS NULL`,
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
