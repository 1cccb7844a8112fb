import { createHash, randomInt } from "node:crypto"
import {
  ApiKeyId,
  type ApiKeyIdentity,
  ApiKeySummary,
  apiKeyPattern,
  apiKeyStartLength
} from "@switchboard/domain/apiKeys/ApiKey"
import type { Permissions } from "@switchboard/domain/apiKeys/Permission"
import { ResourceNotFoundError, type ServiceUnavailableError, UnauthorizedError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Cache, DateTime, Effect, HashMap, Option, Redacted, Ref, Schedule } from "effect"
import { newId } from "../NewId.js"
import { ApiKeyRepo } from "./ApiKeyRepo.js"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const keyLength = 40

const newKey = Effect.sync(() =>
  Redacted.make(`sk_sm_${Array.from({ length: keyLength }, () => alphabet[randomInt(alphabet.length)]).join("")}`)
)

const hashOf = (key: Redacted.Redacted<string>) => createHash("sha256").update(Redacted.value(key)).digest("hex")

const unauthorized = new UnauthorizedError({ message: "The API key is missing or invalid" })

/** How late `lastUsedAt` may be. */
const touchEvery = "20 seconds"

/** The keys by which programs authenticate. */
export class ApiKeys extends Effect.Service<ApiKeys>()("services/ApiKeys", {
  scoped: Effect.gen(function* () {
    const repo = yield* ApiKeyRepo
    const used = yield* Ref.make(HashMap.empty<ApiKeyId, DateTime.Utc>())

    // A removed key must stop within a second on every process: nobody tells the others, the cache just forgets.
    const active = yield* Cache.make({
      capacity: 10_000,
      timeToLive: "500 millis",
      lookup: (hash: string): Effect.Effect<Option.Option<ApiKeyIdentity>, ServiceUnavailableError> =>
        repo.findActive(hash)
    })

    const flushUsed = Effect.flatMap(Ref.getAndSet(used, HashMap.empty()), (uses) =>
      HashMap.isEmpty(uses) ? Effect.void : repo.touch(HashMap.toEntries(uses).map(([id, at]) => ({ id, at })))
    ).pipe(Effect.catchAll((error) => Effect.logDebug("lastUsedAt was not written", error)))
    yield* Effect.addFinalizer(() => flushUsed)
    yield* Effect.forkScoped(Effect.repeat(flushUsed, Schedule.spaced(touchEvery)))

    /** Who this key speaks for. Whatever is wrong with a key, the answer is the same. */
    const authenticate = Effect.fnUntraced(function* (key: Redacted.Redacted<string>) {
      if (!apiKeyPattern.test(Redacted.value(key))) return yield* unauthorized
      const identity = yield* Effect.flatten(active.get(hashOf(key))).pipe(
        Effect.catchTag("NoSuchElementException", () => unauthorized)
      )
      const now = yield* DateTime.now
      yield* Ref.update(used, HashMap.set(identity.id, now))
      return identity
    })

    /** Makes a key; its whole value is in this answer alone. `value` is given when an operator chose it beforehand. */
    const create = Effect.fn("ApiKeys.create")(function* (input: {
      readonly name: string
      readonly organizationId: OrganizationId | null
      readonly permissions: Permissions
      readonly expiresAt: DateTime.Utc | null
      readonly value: Option.Option<Redacted.Redacted<string>>
    }) {
      const key = yield* Option.match(input.value, { onNone: () => newKey, onSome: Effect.succeed })
      const { id, now } = yield* newId(ApiKeyId)
      const summary = new ApiKeySummary({
        id,
        name: input.name,
        start: Redacted.value(key).slice(0, apiKeyStartLength),
        organizationId: input.organizationId,
        permissions: input.permissions,
        isActive: true,
        createdAt: now,
        expiresAt: input.expiresAt,
        lastUsedAt: null
      })
      yield* repo.insert(summary, hashOf(key))
      return { summary, key } as const
    })

    /** Stops a key for good. */
    const revoke = Effect.fn("ApiKeys.revoke")(function* (id: ApiKeyId) {
      if (!(yield* repo.revoke(id))) return yield* new ResourceNotFoundError({ resource: "apiKey", id })
    })

    return { authenticate, create, list: repo.list, revoke } as const
  })
}) {}
