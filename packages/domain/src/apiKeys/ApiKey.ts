import { Schema } from "effect"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { Permissions, RoleName } from "./Permission.js"

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
