import { Schema } from "effect"
import { choice, clearable, oneOf, wholeNumber } from "../Fields.js"
import { OrganizationId } from "../organizations/Organization.js"
import { SearchText } from "../Search.js"
import { text } from "../Text.js"
import { IsoDateTime, Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { GrantablePermissions, Permissions, RoleName } from "./Permission.js"

const Name = text(1, 200)
const Description = text(1, 1_000)
const Role = choice(...RoleName.literals)

/** The maximum time for which the old value still works after a rotation. */
const maxGraceSeconds = 86_400

const newKey = {
  name: Name,
  description: Schema.optional(Description),
  expiresAt: Schema.optional(IsoDateTime)
}

/** A new key. Its permissions are given by `permissions` or by `roleName`, never by both. */
export const CreateApiKey = Schema.Struct({
  ...newKey,
  permissions: Schema.optional(GrantablePermissions),
  roleName: Schema.optional(Role)
})
  .pipe(
    Schema.filter(({ permissions, roleName }) => {
      if (permissions === undefined && roleName === undefined) {
        return { path: ["permissions"], message: "is required without roleName" }
      }
      return permissions === undefined || roleName === undefined
        ? undefined
        : { path: ["roleName"], message: "must be left out where permissions are given" }
    })
  )
  .annotations({
    identifier: "CreateApiKey",
    jsonSchema: oneOf(
      Schema.Struct({ ...newKey, permissions: GrantablePermissions }),
      Schema.Struct({ ...newKey, roleName: Role })
    )
  })
export type CreateApiKey = typeof CreateApiKey.Type

/** The fields to change; omitted fields stay. Null removes the description or the expiry. */
export const UpdateApiKey = Schema.Struct({
  name: Schema.optional(Name),
  description: clearable(Description),
  permissions: Schema.optional(GrantablePermissions),
  roleName: Schema.optional(Role),
  expiresAt: clearable(IsoDateTime),
  isActive: Schema.optional(Schema.Boolean)
})
  .pipe(
    Schema.filter(
      ({ permissions, roleName }) =>
        permissions === undefined || roleName === undefined
          ? undefined
          : { path: ["roleName"], message: "must be left out where permissions are given" },
      { jsonSchema: { not: { required: ["permissions", "roleName"] } } }
    )
  )
  .annotations({ identifier: "UpdateApiKey" })
export type UpdateApiKey = typeof UpdateApiKey.Type

const GraceSeconds = wholeNumber(0, maxGraceSeconds, { default: 0 })

/** The number of seconds for which the old value still works. */
export const RotateApiKey = Schema.Struct({ gracePeriodSeconds: Schema.optional(GraceSeconds) }).annotations({
  identifier: "RotateApiKey"
})
export type RotateApiKey = typeof RotateApiKey.Type

/** Filters of a list of keys; `search` matches name, description and start. */
export const ApiKeyFilters = Schema.Struct({
  isActive: Schema.optional(Schema.Boolean),
  search: Schema.optional(SearchText)
})
export type ApiKeyFilters = typeof ApiKeyFilters.Type

/** One request that used a key. */
export class ApiKeyActivity extends Schema.Class<ApiKeyActivity>("ApiKeyActivity")({
  method: Schema.String,
  path: Schema.String,
  status: Schema.Int.annotations({ description: "the HTTP status of the response, or the code of the SMTP reply" }),
  latencyMs: Schema.Int,
  ipAddress: Schema.String,
  at: Timestamp
}) {}

const Count = Schema.Int.pipe(Schema.nonNegative())
const Counts = Schema.Record({ key: Schema.String, value: Count })

/** The usage of a key within the retention of its activity. */
export class ApiKeyStats extends Schema.Class<ApiKeyStats>("ApiKeyStats")({
  totalRequests: Count,
  requestsLast24Hours: Count,
  errorRate: Schema.Number.pipe(Schema.between(0, 1)).annotations({
    description: "the share of requests with a status of 400 or above; 0 without requests"
  }),
  byStatus: Counts.annotations({ description: "requests by HTTP status of the response, or code of the SMTP reply" }),
  byEndpoint: Counts.annotations({ description: "requests by operation, like GET /v1/messages/:id" }),
  lastUsedAt: Schema.optional(Timestamp)
}) {}

export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** `sk_sm_` and 40 base-62 characters. */
export const apiKeyPattern = /^sk_sm_[0-9A-Za-z]{40}$/

/** The number of characters of a key in responses to reads. */
export const apiKeyStartLength = 12

/** The masked form of a key's value. */
export const maskedKey = (start: string): string => `${start}…`

/** The identity and permissions of an authenticated key. */
export interface ApiKeyIdentity {
  readonly id: ApiKeyId
  readonly organizationId: OrganizationId | null
  readonly permissions: Permissions
}

/** An API key. `key` is masked except in the responses of create and rotate. */
export class ApiKey extends Schema.Class<ApiKey>("ApiKey")({
  id: ApiKeyId,
  name: Schema.String,
  key: Schema.String.annotations({
    description: "the beginning of the key and …; the complete key only in the responses of create and rotate"
  }),
  start: Schema.String,
  description: Schema.optional(Schema.String),
  organizationId: Schema.optional(OrganizationId),
  roleName: Schema.optional(RoleName),
  permissions: Permissions,
  isActive: Schema.Boolean,
  createdAt: Timestamp,
  expiresAt: Schema.optional(Timestamp),
  lastUsedAt: Schema.optional(Timestamp)
}) {}
