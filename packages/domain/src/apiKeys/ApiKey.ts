import { Schema } from "effect"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { Permissions } from "./Permission.js"

export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** `sk_sm_` and 40 base-62 characters. */
export const apiKeyPattern = /^sk_sm_[0-9A-Za-z]{40}$/

/** How many characters of a key its reads still show. */
export const apiKeyStartLength = 12

/** A key as it is stored: without its value, which was shown once. */
export class ApiKeySummary extends Schema.Class<ApiKeySummary>("ApiKeySummary")({
  id: ApiKeyId,
  name: Schema.String,
  start: Schema.String,
  organizationId: Schema.NullOr(OrganizationId),
  permissions: Permissions,
  isActive: Schema.Boolean,
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp),
  lastUsedAt: Schema.NullOr(Timestamp)
}) {}

/** Who a valid key speaks for. */
export interface ApiKeyIdentity {
  readonly id: ApiKeyId
  readonly organizationId: OrganizationId | null
  readonly permissions: Permissions
}
