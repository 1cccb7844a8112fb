import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { KeyActivityRepo, type KeyUse } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { defaultRetention as activityKept } from "@switchboard/services/retention/RetentionSettings"
import { Array, Clock, DateTime, Duration, Effect, Number } from "effect"
import { v7 } from "uuid"
import { explainReads } from "../lists/ExplainReads.js"
import { OwnStoreLive } from "../StoreLive.js"
import { vacuum } from "../Vacuum.js"
import { makeKey } from "./Fixtures.js"

type Key = Effect.Effect.Success<typeof makeKey>

const useOf = (key: Key, at: number, overrides: Partial<KeyUse> = {}): KeyUse => ({
  ...key,
  id: v7({ msecs: at }),
  method: "GET",
  path: "/v1/messages",
  route: "/v1/messages",
  status: 200,
  latencyMs: 3,
  ipAddress: "192.0.2.7",
  at,
  ...overrides
})

const hours = (count: number) => Duration.toMillis(Duration.hours(count))
const firstPage = { page: 1, limit: 20 }

layer(OwnStoreLive, { excludeTestServices: true })("KeyActivityRepo on PostgreSQL", (it) => {
  it.effect("returns requests newest first, of the organization's own key only", () =>
    Effect.gen(function* () {
      const repo = yield* KeyActivityRepo
      const key = yield* makeKey
      const now = yield* Clock.currentTimeMillis
      const uses = Array.makeBy(25, (at) =>
        useOf(key, now + at, { path: `/v1/messages/${at}`, status: 200 + at, latencyMs: at })
      )
      yield* repo.insert(uses)
      const { items, pagination } = yield* repo.list(key.organizationId, key.apiKeyId, { page: 2, limit: 20 })
      assert.deepStrictEqual(pagination, { page: 2, limit: 20, total: 25, totalPages: 2 })
      assert.deepStrictEqual(
        items.map(({ at, path, status }) => [path, status, DateTime.toEpochMillis(at)]),
        [4, 3, 2, 1, 0].map((at) => [`/v1/messages/${at}`, 200 + at, now + at])
      )
      const other = yield* makeKey
      for (const [organization, id] of [
        [other.organizationId, key.apiKeyId],
        [key.organizationId, other.apiKeyId]
      ] as const) {
        assert.deepStrictEqual((yield* repo.list(organization, id, firstPage)).pagination.total, 0)
        assert.deepStrictEqual(yield* repo.stats(organization, id), {
          totalRequests: 0,
          requestsLast24Hours: 0,
          errorRate: 0,
          byStatus: {},
          byEndpoint: {}
        })
      }
    })
  )

  it.effect("counts requests by status and operation, once per request even if a batch is repeated", () =>
    Effect.gen(function* () {
      const repo = yield* KeyActivityRepo
      const key = yield* makeKey
      const now = yield* Clock.currentTimeMillis
      const send = { method: "POST" }
      const one = { route: "/v1/messages/:id", path: "/v1/messages/7" }
      const uses = [
        useOf(key, now),
        useOf(key, now, send),
        useOf(key, now, { ...send, status: 422 }),
        useOf(key, now, { ...one, status: 404 }),
        useOf(key, now, { ...one, status: 500 }),
        // Both sides of the limit of 24 hours.
        useOf(key, now - hours(24) + 30_000),
        useOf(key, now - hours(24) - 30_000),
        useOf(key, now - hours(25)),
        useOf(key, now - hours(48), { status: 503 })
      ]
      yield* Effect.forEach([uses, uses.slice(3), uses], repo.insert, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* repo.stats(key.organizationId, key.apiKeyId), {
        totalRequests: 9,
        requestsLast24Hours: 6,
        errorRate: 4 / 9,
        byStatus: { 200: 5, 404: 1, 422: 1, 500: 1, 503: 1 },
        byEndpoint: { "GET /v1/messages": 5, "GET /v1/messages/:id": 2, "POST /v1/messages": 2 }
      })
    })
  )

  it.effect("accepts concurrent inserts of several processes without a deadlock", () =>
    Effect.gen(function* () {
      const repo = yield* KeyActivityRepo
      const some = yield* Effect.replicateEffect(makeKey, 20)
      const now = yield* Clock.currentTimeMillis
      const batch = (at: number) => {
        const turned = [...some.slice(at % some.length), ...some.slice(0, at % some.length)]
        return turned.map((key) => useOf(key, now))
      }
      yield* Effect.forEach(
        Array.makeBy(40, (at) => batch(at)),
        repo.insert,
        { concurrency: "unbounded" }
      )
      for (const { apiKeyId, organizationId } of some) {
        assert.strictEqual((yield* repo.stats(organizationId, apiKeyId)).totalRequests, 40)
      }
    })
  )

  it.effect("deletes requests after 30 days and subtracts them from the counts", () =>
    Effect.gen(function* () {
      const repo = yield* KeyActivityRepo
      const sql = yield* SqlClient.SqlClient
      const key = yield* makeKey
      const now = yield* Clock.currentTimeMillis
      const day = hours(24)
      const old = Array.makeBy(12_000, (at) => useOf(key, now - 31 * day - at * 1_000))
      const fresh = Array.makeBy(50, (at) => useOf(key, now - 29 * day - at * 1_000))
      yield* repo.insert([...old, ...fresh])
      // Two concurrent workers do not count the same deletions.
      const { deleteKeyActivity } = yield* RetentionRepo
      const deleted = yield* Effect.all([deleteKeyActivity(activityKept), deleteKeyActivity(activityKept)], {
        concurrency: "unbounded"
      })
      assert.strictEqual(deleted[0] + deleted[1], 12_000)
      const { items, pagination } = yield* repo.list(key.organizationId, key.apiKeyId, { page: 1, limit: 100 })
      assert.deepStrictEqual([items.length, pagination.total], [50, 50])
      assert.deepStrictEqual((yield* repo.stats(key.organizationId, key.apiKeyId)).byStatus, { 200: 50 })
      assert.strictEqual(yield* deleteKeyActivity(activityKept), 0)
      const [empty] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM api_key_usage
        WHERE api_key_id = ${key.apiKeyId} AND requests = 0`
      assert.strictEqual(empty?.count, 0)
    })
  )

  it.effect("reads no more for totals and statistics of a key with requests in many hours", () =>
    Effect.gen(function* () {
      const repo = yield* KeyActivityRepo
      const now = yield* Clock.currentTimeMillis
      const routes = Array.makeBy(10, (at) => `/v1/things/${at}`)
      const keyUsedIn = (count: number) =>
        Effect.tap(makeKey, (key) =>
          Effect.forEach(
            Array.chunksOf(
              Array.makeBy(count, (at) => now - hours(at + 30)),
              100
            ),
            (times) => repo.insert(times.flatMap((at) => routes.map((route) => useOf(key, at, { route }))))
          )
        )
      const buffersOf = <A, E>(read: Effect.Effect<A, E>) =>
        Effect.map(explainReads(read), (reads) => Number.sumAll(reads.map(({ buffers }) => buffers)))
      const [few, many] = yield* Effect.all([keyUsedIn(10), keyUsedIn(600)])
      yield* vacuum("api_key_totals", "api_key_usage", "api_key_activity")
      assert.strictEqual((yield* repo.stats(many.organizationId, many.apiKeyId)).totalRequests, 6_000)
      const read = ({ apiKeyId, organizationId }: Key) =>
        Effect.all([
          buffersOf(repo.list(organizationId, apiKeyId, { page: 1, limit: 1 })),
          buffersOf(repo.stats(organizationId, apiKeyId))
        ])
      const [list, stats] = yield* read(few)
      const [longList, longStats] = yield* read(many)
      // The totals can be on a page each.
      assert.isAtMost(longList, list + 2 * routes.length)
      assert.isAtMost(longStats, stats + 2 * routes.length)
    })
  )

  it.effect("has no total of deleted requests, and totals of the requests before them", () =>
    Effect.gen(function* () {
      const repo = yield* KeyActivityRepo
      const sql = yield* SqlClient.SqlClient
      const key = yield* makeKey
      const now = yield* Clock.currentTimeMillis
      const old = now - hours(31 * 24)
      yield* repo.insert([useOf(key, old, { status: 404 }), useOf(key, old), useOf(key, now), useOf(key, now)])
      const totals = sql`SELECT status, requests::int FROM api_key_totals WHERE api_key_id = ${key.apiKeyId} ORDER BY status`
      assert.deepStrictEqual(yield* totals, [
        { status: 200, requests: 3 },
        { status: 404, requests: 1 }
      ])
      yield* (yield* RetentionRepo).deleteKeyActivity(activityKept)
      assert.deepStrictEqual(yield* totals, [{ status: 200, requests: 2 }])
    })
  )
})
