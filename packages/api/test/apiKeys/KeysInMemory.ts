import type { ApiKey } from "@switchboard/domain/apiKeys/ApiKey"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { ApiKeyRepo, type ChangedApiKey } from "@switchboard/services/apiKeys/ApiKeyRepo"
import { KeyActivityRepo, type KeyUse } from "@switchboard/services/apiKeys/KeyActivityRepo"
import type { StorableApiKey } from "@switchboard/services/apiKeys/NewApiKey"
import { Array, DateTime, Effect, Layer, Option } from "effect"

const pageOf = <A>(items: ReadonlyArray<A>, request: PageRequest) => {
  const from = (request.page - 1) * request.limit
  return page(Array.reverse(items).slice(from, from + request.limit), items.length, request)
}

/** Keys as long as the test lasts: what a request came to can be seen in the next. */
export const keysInMemory = (given: ReadonlyArray<StorableApiKey>) => {
  const stored = new Map(given.map((one) => [one.apiKey.id, one]))
  const keep = ({ apiKey, removed, rotated }: ChangedApiKey, hash: string) => {
    if (removed) stored.delete(apiKey.id)
    else stored.set(apiKey.id, { apiKey, hash: rotated?.hash ?? hash })
  }
  const all = (): ReadonlyArray<ApiKey> => [...stored.values()].map(({ apiKey }) => apiKey)

  return Layer.succeed(ApiKeyRepo, {
    findActive: (hash) =>
      Effect.sync(() =>
        Option.map(
          Array.findFirst(stored.values(), (one) => one.hash === hash && one.apiKey.isActive),
          ({ apiKey: { id, organizationId = null, permissions } }) => ({ id, organizationId, permissions })
        )
      ),
    insert: (key) => Effect.sync(() => void stored.set(key.apiKey.id, key)),
    find: (organization, id) =>
      Effect.sync(() => Array.findFirst(all(), (key) => key.id === id && key.organizationId === organization)),
    list: (organization, { isActive, search = "" }, request) =>
      Effect.sync(() =>
        pageOf(
          all().filter(
            (key) =>
              key.organizationId === organization &&
              (isActive === undefined || key.isActive === isActive) &&
              key.name.includes(search)
          ),
          request
        )
      ),
    change: (organization, id, decide) =>
      Effect.gen(function* () {
        const present = stored.get(id)
        if (present === undefined || present.apiKey.organizationId !== organization) return Option.none()
        const changed = yield* decide(present.apiKey)
        keep(changed, present.hash)
        return Option.some(changed)
      }),
    listAll: Effect.sync(all),
    revoke: () => Effect.succeed(false),
    touch: () => Effect.void
  })
}

/** What keys were used for, as it was written, in order. */
export const activityInMemory = (written: Array<KeyUse>) => {
  const of = (id: string) => written.filter(({ apiKeyId }) => apiKeyId === id)
  return Layer.succeed(KeyActivityRepo, {
    insert: (uses) => Effect.sync(() => void written.push(...uses)),
    list: (_, id, request) =>
      Effect.sync(() =>
        pageOf(
          of(id).map(({ at, ipAddress, latencyMs, method, path, status }) => ({
            method,
            path,
            status,
            latencyMs,
            ipAddress,
            at: DateTime.unsafeMake(at)
          })),
          request
        )
      ),
    stats: (_, id) =>
      Effect.sync(() => ({
        totalRequests: of(id).length,
        requestsLast24Hours: of(id).length,
        errorRate: 0,
        byStatus: {},
        byEndpoint: {}
      })),
    forget: () => Effect.succeed(0)
  })
}
