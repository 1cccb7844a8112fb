import { hash, randomInt } from "node:crypto"
import { ApiKey, ApiKeyId, apiKeyStartLength, maskedKey } from "@switchboard/domain/apiKeys/ApiKey"
import type { Permissions, RoleName } from "@switchboard/domain/apiKeys/Permission"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type DateTime, Effect, Option, Redacted } from "effect"
import { type NewEvent, newEvent } from "../events/NewEvent.js"
import { newId } from "../NewId.js"

/** The event of a change to a key. A key without an organization has none. */
export const apiKeyEvents = (
  type: "api_key.created" | "api_key.rotated" | "api_key.deleted",
  apiKey: ApiKey
): Effect.Effect<ReadonlyArray<NewEvent>> =>
  apiKey.organizationId === undefined
    ? Effect.succeed([])
    : Effect.map(newEvent(type, apiKey.organizationId, apiKey.id, apiKey), (event) => [event])

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const keyLength = 40

/** Generates a random key. */
export const freshKey = Effect.sync(() =>
  Redacted.make(`sk_sm_${Array.from({ length: keyLength }, () => alphabet[randomInt(alphabet.length)]).join("")}`)
)

/** The SHA-256 (hex) of a key. The value itself is never stored. */
export const hashOf = (key: Redacted.Redacted<string>) => hash("sha256", Redacted.value(key), "hex")

/** The part of a key's value that reads show. */
export const shownOf = (key: Redacted.Redacted<string>) => {
  const start = Redacted.value(key).slice(0, apiKeyStartLength)
  return { start, key: maskedKey(start) }
}

/** The fields of a new key. `value` is set if an operator chose it. */
export interface ApiKeyInput {
  readonly name: string
  readonly description?: string | undefined
  readonly roleName?: RoleName | undefined
  readonly organizationId: OrganizationId | null
  readonly permissions: Permissions
  readonly expiresAt: DateTime.Utc | null
  readonly value: Option.Option<Redacted.Redacted<string>>
}

/** A key with the hash to store. */
export interface StorableApiKey {
  readonly apiKey: ApiKey
  readonly hash: string
}

/** Makes a key that is not stored yet, and its complete value. */
export const newApiKey = Effect.fnUntraced(function* (input: ApiKeyInput) {
  const key = yield* Option.match(input.value, { onNone: () => freshKey, onSome: Effect.succeed })
  const { id, now } = yield* newId(ApiKeyId)
  const apiKey = new ApiKey({
    id,
    name: input.name,
    ...shownOf(key),
    description: input.description,
    organizationId: input.organizationId ?? undefined,
    roleName: input.roleName,
    permissions: input.permissions,
    isActive: true,
    createdAt: now,
    expiresAt: input.expiresAt ?? undefined
  })
  return { apiKey, hash: hashOf(key), key } as const
})
