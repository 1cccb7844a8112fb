import { Schema } from "effect"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { Permissions, RoleName } from "./Permission.js"

export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** `sk_sm_` and 40 base-62 characters. */
export const apiKeyPattern = /^sk_sm_[0-9A-Za-z]{40}$/

/** How many characters of a key its reads still show. */
export const apiKeyStartLength = 12

/** What reads show in place of a key's value. */
export const maskedKey = (start: string): string => `${start}…`

/** Who a valid key speaks for. */
export interface ApiKeyIdentity {
  readonly id: ApiKeyId
  readonly organizationId: OrganizationId | null
  readonly permissions: Permissions
}

/** A key as its reads show it: `key` is the beginning of its value, the whole only in the answers of create and rotate. */
export class ApiKey extends Schema.Class<ApiKey>("ApiKey")({
  id: ApiKeyId,
  name: Schema.String,
  key: Schema.String.annotations({
    description: "the key's beginning and …; the whole key in the answers of create and rotate alone"
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
