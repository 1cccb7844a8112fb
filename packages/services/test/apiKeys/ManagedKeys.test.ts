import { assert, layer } from "@effect/vitest"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { type Permissions, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import type { ApiError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { storedEvents } from "@switchboard/store/testing/StoredRows"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { testDatabase } from "@switchboard/store/testing/TestDatabase"
import { Array, Context, DateTime, Effect, Layer, Option, Redacted, Schedule } from "effect"

const Keys = Layer.merge(ApiKeys.Default, ManagedKeys.Default).pipe(Layer.provide(ApiKeyRepoSql))
const Live = Keys.pipe(Layer.provideMerge(StoreLive))

/** A second process with its own connections and cache. */
const secondProcess = Effect.map(
  Layer.build(Layer.fresh(Keys.pipe(Layer.provide(testDatabase(2))))),
  Context.get(ApiKeys)
)

const manager = (organizationId: OrganizationId, permissions: Permissions = rolePermissions.admin) => ({
  organizationId,
  permissions
})

const isAccepted = (keys: ApiKeys, value: string) =>
  Effect.match(keys.authenticate(Redacted.make(value)), { onSuccess: () => true, onFailure: () => false })

/** Waits until the key is rejected. */
const awaitRejection = (keys: ApiKeys, value: string) =>
  Effect.repeat(isAccepted(keys, value), { while: (accepted) => accepted, schedule: Schedule.spaced("20 millis") })

const firstPage = { page: 1, limit: 20 }

layer(Live, { excludeTestServices: true })("ManagedKeys on PostgreSQL", (it) => {
  it.effect("returns the value of a key only when it is created", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const apiKeys = yield* ApiKeys
      const own = yield* makeOrganization()
      const expiresAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      const created = yield* keys.create(manager(own), {
        name: "Shop",
        description: "The shop's own",
        roleName: "sender",
        expiresAt
      })
      assert.match(created.key, /^sk_sm_[0-9A-Za-z]{40}$/)
      assert.strictEqual(created.start, created.key.slice(0, 12))
      const found = yield* keys.get(own, created.id)
      assert.deepStrictEqual({ ...found }, { ...created, key: `${created.start}…` })
      const identity = yield* apiKeys.authenticate(Redacted.make(created.key))
      assert.deepStrictEqual(identity, { id: created.id, organizationId: own, permissions: rolePermissions.sender })

      const plain = yield* keys.create(manager(own), { name: "Plain", permissions: { messages: ["read"] } })
      assert.isUndefined((yield* keys.get(own, plain.id)).expiresAt)
      assert.isUndefined((yield* keys.get(own, plain.id)).roleName)
    })
  )

  it.effect("lists keys newest first and filters by state and search text", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const own = yield* makeOrganization()
      const make = (name: string, description?: string) =>
        keys.create(manager(own), { name, description, roleName: "viewer" })
      const shop = yield* make("Shop", "100%_sure")
      const blog = yield* make("BLOG")
      const removed = yield* make("Gone")
      yield* keys.update(manager(own), blog.id, { isActive: false })
      yield* keys.remove(manager(own), removed.id)
      const named = (filters: { isActive?: boolean; search?: string }, request = firstPage) =>
        Effect.map(keys.list(own, filters, request), ({ items, pagination }) => [
          items.map(({ name }) => name),
          pagination.total
        ])
      assert.deepStrictEqual(yield* named({}), [["BLOG", "Shop"], 2])
      assert.deepStrictEqual(yield* named({}, { page: 2, limit: 1 }), [["Shop"], 2])
      assert.deepStrictEqual(yield* named({ isActive: true }), [["Shop"], 1])
      assert.deepStrictEqual(yield* named({ isActive: false }), [["BLOG"], 1])
      assert.deepStrictEqual(yield* named({ search: "blo" }), [["BLOG"], 1])
      assert.deepStrictEqual(yield* named({ search: "0%_S" }), [["Shop"], 1])
      assert.deepStrictEqual(yield* named({ search: "%" }), [["Shop"], 1])
      assert.deepStrictEqual(yield* named({ search: shop.start }), [["Shop"], 1])
      assert.deepStrictEqual(yield* named({ search: "shop", isActive: false }), [[], 0])
    })
  )

  it.effect("updates only the given fields", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const own = yield* makeOrganization()
      const admin = manager(own)
      const expiresAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      const created = yield* keys.create(admin, { name: "n", description: "d", roleName: "sender", expiresAt })
      const change = (request: Parameters<typeof keys.update>[2]) =>
        Effect.zipRight(keys.update(admin, created.id, request), keys.get(own, created.id))
      assert.deepStrictEqual({ ...(yield* change({})) }, { ...created, key: `${created.start}…` })
      const renamed = yield* change({ name: "m", description: null, expiresAt: null })
      assert.deepStrictEqual(
        [renamed.name, renamed.description, renamed.expiresAt, renamed.roleName],
        ["m", undefined, undefined, "sender"]
      )
      const permissions = { messages: ["read"] } as const
      const narrowed = yield* change({ permissions })
      assert.deepStrictEqual([narrowed.permissions, narrowed.roleName], [permissions, undefined])
      assert.strictEqual((yield* change({ roleName: "viewer" })).roleName, "viewer")
    })
  )

  it.effect("rejects granting permissions, or changing a key, beyond the manager's own permissions", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const own = yield* makeOrganization()
      const wide = yield* keys.create(manager(own), { name: "wide", roleName: "admin" })
      const lesser = manager(own, { apiKeys: ["read", "write"], messages: ["read"] })
      const narrow = yield* keys.create(lesser, { name: "narrow", permissions: { messages: ["read"] } })
      const refused: ReadonlyArray<Effect.Effect<unknown, ApiError>> = [
        keys.create(lesser, { name: "n", roleName: "admin" }),
        keys.create(lesser, { name: "n", permissions: { messages: ["read", "send"] } }),
        keys.create(lesser, { name: "n", permissions: { messages: ["*"] } }),
        keys.update(lesser, narrow.id, { permissions: { messages: ["send"] } }),
        keys.update(lesser, narrow.id, { roleName: "viewer" }),
        keys.update(lesser, wide.id, { isActive: false }),
        keys.update(lesser, wide.id, { permissions: { messages: ["read"] } }),
        keys.rotate(lesser, wide.id, {}),
        keys.remove(lesser, wide.id)
      ]
      for (const attempt of refused) {
        assert.strictEqual((yield* Effect.flip(attempt))._tag, "ForbiddenError")
      }
      assert.deepStrictEqual((yield* keys.get(own, wide.id)).permissions, rolePermissions.admin)
      assert.isTrue((yield* keys.get(own, wide.id)).isActive)
      assert.isTrue(yield* Effect.flatMap(ApiKeys, (apiKeys) => isAccepted(apiKeys, wide.key)))
      assert.strictEqual((yield* keys.list(own, {}, firstPage)).pagination.total, 2)
      yield* keys.rotate(lesser, narrow.id, {})
      yield* keys.remove(lesser, narrow.id)
    })
  )

  it.effect("rejects an expiry time that is not in the future", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const own = yield* makeOrganization()
      const created = yield* keys.create(manager(own), { name: "n", roleName: "viewer" })
      const expiresAt = yield* DateTime.now
      const attempts = [
        keys.create(manager(own), { name: "n", roleName: "viewer", expiresAt }),
        keys.update(manager(own), created.id, { expiresAt })
      ]
      for (const attempt of attempts) {
        assert.deepInclude(yield* Effect.flip(attempt), {
          _tag: "ValidationError",
          fields: { expiresAt: ["must be in the future"] }
        })
      }
    })
  )

  it.scoped("rejects removed, inactive, expired, rotated and revoked keys in every process", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const processes = [yield* ApiKeys, yield* secondProcess]
      const own = yield* makeOrganization()
      const admin = manager(own)
      const make = keys.create(admin, { name: "n", roleName: "viewer" })
      const ends = [
        (id: ApiKeyId) => keys.remove(admin, id),
        (id: ApiKeyId) => keys.update(admin, id, { isActive: false }),
        (id: ApiKeyId) => keys.rotate(admin, id, {}),
        (id: ApiKeyId) =>
          Effect.flatMap(DateTime.now, (now) =>
            keys.update(admin, id, { expiresAt: DateTime.add(now, { seconds: 1 }) })
          ),
        (id: ApiKeyId) => Effect.flatMap(ApiKeys, ({ revoke }) => revoke(id))
      ]
      yield* Effect.forEach(
        ends,
        (end) =>
          Effect.gen(function* () {
            const { id, key } = yield* make
            for (const process of processes) assert.isTrue(yield* isAccepted(process, key))
            yield* end(id)
            yield* Effect.forEach(processes, (one) => awaitRejection(one, key), { concurrency: 2 })
          }),
        { concurrency: "unbounded" }
      )
    })
  )

  it.scoped("accepts each replaced value during its own grace period, at most ten, without the first to end", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const apiKeys = yield* ApiKeys
      const other = yield* secondProcess
      const own = yield* makeOrganization()
      const admin = manager(own)
      const first = yield* keys.create(admin, { name: "n", roleName: "viewer" })
      const second = yield* keys.rotate(admin, first.id, { gracePeriodSeconds: 60 })
      assert.strictEqual(second.id, first.id)
      assert.notStrictEqual(second.key, first.key)
      assert.strictEqual((yield* keys.get(own, first.id)).start, second.start)
      for (const process of [apiKeys, other]) {
        assert.isTrue(yield* isAccepted(process, first.key))
        assert.isTrue(yield* isAccepted(process, second.key))
      }
      const third = yield* keys.rotate(admin, first.id, { gracePeriodSeconds: 1 })
      const fourth = yield* keys.rotate(admin, first.id, {})
      yield* awaitRejection(other, second.key)
      yield* awaitRejection(other, third.key)
      for (const process of [apiKeys, other]) {
        assert.deepStrictEqual(yield* Effect.forEach([first, fourth], ({ key }) => isAccepted(process, key)), [
          true,
          true
        ])
      }
      const later = yield* Effect.forEach(Array.range(5, 14), () =>
        keys.rotate(admin, first.id, { gracePeriodSeconds: 600 })
      )
      yield* awaitRejection(apiKeys, first.key)
      const accepted = [fourth, ...later]
      const fresh = yield* secondProcess
      assert.isTrue((yield* Effect.forEach(accepted, ({ key }) => isAccepted(fresh, key))).every((is) => is))
      yield* keys.remove(admin, first.id)
      yield* Effect.forEach(accepted, ({ key }) => awaitRejection(apiKeys, key))
    })
  )

  it.effect("records events of creation, rotation and deletion without the key's value", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const apiKeys = yield* ApiKeys
      const own = yield* makeOrganization()
      const admin = manager(own)
      const created = yield* keys.create(admin, { name: "n", roleName: "viewer" })
      const rotated = yield* keys.rotate(admin, created.id, {})
      yield* keys.update(admin, created.id, { name: "m" })
      yield* keys.remove(admin, created.id)
      const operators = yield* apiKeys.create({
        name: "operator's",
        organizationId: own,
        permissions: {},
        expiresAt: null,
        value: Option.none()
      })
      yield* apiKeys.revoke(operators.apiKey.id)
      assert.strictEqual((yield* Effect.flip(apiKeys.revoke(operators.apiKey.id)))._tag, "ResourceNotFoundError")
      const events = yield* storedEvents(own)
      assert.deepStrictEqual(
        events.map(({ data, subject, type }) => [type, subject, data.name, data.key]),
        [
          ["api_key.created", created.id, "n", `${created.start}…`],
          ["api_key.rotated", created.id, "n", `${rotated.start}…`],
          ["api_key.deleted", created.id, "m", `${rotated.start}…`],
          ["api_key.created", operators.apiKey.id, "operator's", `${operators.apiKey.start}…`],
          ["api_key.deleted", operators.apiKey.id, "operator's", `${operators.apiKey.start}…`]
        ]
      )
      for (const { key } of [created, rotated]) assert.notInclude(JSON.stringify(events), key)
    })
  )

  it.effect("applies concurrent changes of a key without losing one", () =>
    Effect.gen(function* () {
      const keys = yield* ManagedKeys
      const apiKeys = yield* ApiKeys
      const own = yield* makeOrganization()
      const admin = manager(own)
      const created = yield* Effect.replicateEffect(keys.create(admin, { name: "n", roleName: "viewer" }), 20)
      yield* Effect.forEach(
        created,
        ({ id }) =>
          Effect.gen(function* () {
            const rotated = yield* Effect.fork(keys.rotate(admin, id, {}))
            yield* Effect.all(
              [
                keys.update(admin, id, { name: "m" }),
                keys.update(admin, id, { description: "d" }),
                keys.update(admin, id, { permissions: { messages: ["read"] } })
              ],
              { concurrency: "unbounded" }
            )
            const { key, start } = yield* rotated
            const found = yield* keys.get(own, id)
            assert.deepStrictEqual(
              [found.name, found.description, found.permissions, found.roleName, found.start],
              ["m", "d", { messages: ["read"] }, undefined, start]
            )
            assert.isTrue(yield* isAccepted(apiKeys, key))
          }),
        // Each change has a connection of the pool: none waits for those of other keys.
        { concurrency: 2 }
      )
      const rotations = (yield* storedEvents(own)).filter(({ type }) => type === "api_key.rotated")
      assert.strictEqual(rotations.length, created.length)
    })
  )
})
