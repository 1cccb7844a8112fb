import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { EventId } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { KeyActivityRepo } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { EventRepo } from "@switchboard/services/events/EventRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { WebhookQueue } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { type StoredWebhookEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { separateConnections } from "@switchboard/store/database/Database"
import { recoverDeliveries } from "@switchboard/store/webhooks/RecoverDeliveries"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { v7 } from "uuid"
import { makeKey } from "../apiKeys/Fixtures.js"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { deliveriesOf, makeEndpoint, queueOf } from "../webhooks/Fixtures.js"
import {
  day,
  elsewhere,
  names,
  onDay,
  partition,
  partitionsRead,
  query,
  thirtyDays,
  update,
  writeEvent
} from "./Fixtures.js"

const idsOf = (organization: OrganizationId) =>
  Effect.map(
    Effect.flatMap(EventRepo, ({ after }) => after(organization, null, 1_000, () => true)),
    ({ events }) => events.map(({ event }) => event.id)
  )

const months = (table: Parameters<typeof partition>[0], ...places: ReadonlyArray<number>) =>
  places.map((place) => partition(table, place))

describe("Partitions of events", () => {
  it.live("are created for this month and the next; rows of any time are accepted", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      assert.deepStrictEqual(yield* names("events"), months("events", 0, 1))
      assert.strictEqual(yield* update("events", 1), 0)
      assert.deepStrictEqual(
        yield* Effect.all([update("events", 40), update("events", 40)], { concurrency: 2 }).pipe(
          Effect.map(([one, other]) => one + other)
        ),
        1
      )
      assert.deepStrictEqual(yield* names("events"), months("events", 0, 1, 2))
      const ids = yield* Effect.forEach([-300, 3, 15, 70, 100], (days) => writeEvent(own, days))
      assert.sameMembers(yield* idsOf(own), ids)
      // The job did not run before the fourth month began: its rows stay in the default partition.
      assert.strictEqual(yield* update("events", 101), 1)
      assert.deepStrictEqual(yield* names("events"), months("events", 0, 1, 2, 4))
      assert.sameMembers(yield* idsOf(own), ids)
    }).pipe(Effect.provide(OwnStoreLive))
  )

  it.live("are dropped when their month has expired, except the events that stay", () =>
    Effect.gen(function* () {
      const { project } = yield* RollupRepo
      const { position, positionOf } = yield* EventRepo
      const { eraseEvents } = yield* RetentionRepo
      const [own, idle] = [yield* makeOrganization(), yield* makeOrganization()]
      yield* update("events", 40)
      const [, last] = [yield* writeEvent(idle, 0), yield* writeEvent(idle, 0.5)]
      const endpoint = yield* makeEndpoint(own)
      const [pending, failed, delivered] = [
        yield* writeEvent(own, -5),
        yield* writeEvent(own, 2),
        yield* writeEvent(own, 1)
      ]
      const status = (event: string, value: string) =>
        query("UPDATE webhook_deliveries SET status = $2 WHERE event_id = $1", event, value)
      yield* status(failed, "failed")
      yield* status(delivered, "succeeded")
      yield* query("UPDATE webhook_endpoints SET events = '{}' WHERE id = $1", endpoint.id)
      const younger = yield* writeEvent(own, 3, 50)
      const [boundary, kept] = [yield* writeEvent(own, 4), yield* writeEvent(own, 45)]
      yield* project
      const batches = Effect.map(
        query("SELECT FROM event_batches WHERE organization_id = $1", own),
        (rows) => rows.length
      )
      assert.strictEqual(yield* batches, 6)

      assert.strictEqual(yield* update("events", 57, thirtyDays), 0)
      yield* eraseEvents(thirtyDays).pipe(onDay(62))
      assert.strictEqual(yield* batches, 5)
      assert.strictEqual(yield* update("events", 62, thirtyDays), 1 + 1)
      assert.deepStrictEqual(yield* names("events"), months("events", 1, 2, 3))
      assert.deepStrictEqual(yield* idsOf(own), [pending, failed, younger, boundary, kept])
      assert.deepStrictEqual(yield* idsOf(idle), [last])
      assert.isTrue(Option.isNone(yield* positionOf(own, delivered)))
      assert.strictEqual((yield* position(idle))?.id, last)

      // A late id is accepted. Events that stayed are deleted when nothing needs them.
      const late = yield* writeEvent(own, 1)
      yield* status(failed, "succeeded")
      assert.strictEqual(yield* eraseEvents(thirtyDays).pipe(onDay(62)), 2)
      assert.deepStrictEqual(yield* idsOf(own), [pending, younger, boundary, kept])
      assert.isTrue(Option.isNone(yield* positionOf(own, late)))
      const [delivery] = (yield* deliveriesOf(endpoint)).filter(({ eventId }) => eventId === pending)
      assert.isDefined(delivery)
      if (delivery === undefined) return
      const { retry } = yield* WebhookEndpointRepo
      assert.strictEqual(yield* retry(own, endpoint.id, delivery.id), "ready")
    }).pipe(Effect.provide(OwnStoreLive))
  )

  it.live("are unlocked when a process is paused while it changes them", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const locked = yield* Deferred.make<void>()
      const change = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql`LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE`.pipe(
          Effect.zipRight(Deferred.succeed(locked, undefined)),
          Effect.zipRight(Effect.never),
          sql.withTransaction
        )
      )
      yield* Effect.forkScoped(Effect.provide(change, separateConnections(1)))
      yield* Deferred.await(locked)
      const id = yield* Effect.retry(writeEvent(own, 0), { times: 10 })
      assert.deepStrictEqual(yield* idsOf(own), [id])
    }).pipe(Effect.scoped, Effect.provide(OwnStoreLive))
  )

  it.live("are read only where an event can be", () =>
    Effect.gen(function* () {
      const { project } = yield* RollupRepo
      const { after, position, positionOf } = yield* EventRepo
      const own = yield* makeOrganization()
      yield* update("events", 40)
      const ids = yield* Effect.forEach([4, 34, 66], (days) => writeEvent(own, days))
      yield* project
      const start = Option.getOrNull(yield* positionOf(own, ids[1] ?? EventId.make(v7())))
      const [oldest = "", first = "", second = ""] = yield* names("events")
      const readAfter = after(own, start, 100, () => true)
      assert.deepStrictEqual(yield* partitionsRead("events", readAfter), [first, second])
      assert.deepStrictEqual(yield* partitionsRead("events", position(own)), [second])
      assert.deepStrictEqual(yield* partitionsRead("events", positionOf(own, ids[0] ?? EventId.make(v7()))), [oldest])
    }).pipe(Effect.provide(OwnStoreLive))
  )
})

/** An endpoint that exists before all events of the tests. */
const endpointOf = (organization: OrganizationId) => makeEndpoint(organization, { createdAt: day(-400) })

const deliveredEvents = (endpoint: StoredWebhookEndpoint) =>
  Effect.map(deliveriesOf(endpoint), (deliveries) => deliveries.map(({ eventId }) => eventId))

/** The number of deliveries that are queued again: failed ones, and missed events. */
const recovered = ({ id, organizationId }: StoredWebhookEndpoint, days: number) =>
  Effect.flatMap(WebhookEndpointRepo, ({ recover }) => Effect.flatten(recover(organizationId, id, day(days))))

/** The events of the stored bodies of an organization. */
const bodiesOf = (organization: OrganizationId) =>
  Effect.map(
    query<{ body: string }>(
      "SELECT body FROM webhook_bodies WHERE organization_id = $1 ORDER BY delivery_id",
      organization
    ),
    (rows) => rows.map(({ body }) => body)
  )

describe("Partitions of webhook deliveries", () => {
  it.live("deliver an event once if two processes recover it at the same time", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const endpoint = yield* endpointOf(own)
      const events = (yield* Effect.forEach([-5, 1, 1, 1, 7, 35], (days) => writeEvent(own, days))).sort()
      yield* query("DELETE FROM webhook_queue; DELETE FROM webhook_deliveries")

      const [done, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const first = yield* Effect.fork(
        elsewhere((sql) =>
          recoverDeliveries(sql, own, endpoint.id, day(-10)).pipe(
            Effect.tap(Deferred.succeed(done, undefined)),
            Effect.tap(Deferred.await(end)),
            sql.withTransaction
          )
        )
      )
      yield* Deferred.await(done)
      const second = yield* Effect.fork(recovered(endpoint, -10))
      yield* Effect.repeat(query("SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"), {
        until: (rows) => rows.length > 0
      })
      yield* Deferred.succeed(end, undefined)
      assert.deepStrictEqual(yield* Fiber.join(first), Option.some(events.length))
      assert.strictEqual(yield* Fiber.join(second), 0)
      // The order of the events is that of their deliveries.
      assert.deepStrictEqual((yield* deliveredEvents(endpoint)).reverse(), events)
      assert.deepStrictEqual(yield* queueOf(endpoint), (yield* deliveriesOf(endpoint)).map(({ id }) => id).reverse())
    }).pipe(Effect.provide(OwnStoreLive))
  )

  it.live("are dropped with their bodies and attempts, except pending and younger ones", () =>
    Effect.gen(function* () {
      const { remove } = yield* WebhookEndpointRepo
      const { deleteWebhooks } = yield* RetentionRepo
      const own = yield* makeOrganization()
      const endpoint = yield* endpointOf(own)
      const write = (days: number, status: string, at = days) =>
        Effect.tap(writeEvent(own, days), (event) =>
          query(
            "UPDATE webhook_deliveries SET status = $2, created_at = $3 WHERE event_id = $1",
            event,
            status,
            DateTime.toDateUtc(day(at))
          )
        )
      const pending = yield* write(-5, "pending")
      const ended = [yield* write(1, "succeeded"), yield* write(2, "failed")]
      const younger = yield* write(2, "succeeded", 50)
      const boundary = yield* write(32, "succeeded")
      yield* query(`INSERT INTO webhook_bodies (organization_id, delivery_id, body)
        SELECT organization_id, id, event_id::text FROM webhook_deliveries`)
      yield* query(
        `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, at, duration_ms)
        SELECT organization_id, id, n, 'scheduled', created_at + (n - 1) * interval '40 days', 5
        FROM webhook_deliveries CROSS JOIN generate_series(1, 2) AS n`
      )
      assert.strictEqual(yield* deleteWebhooks(thirtyDays).pipe(onDay(62)), 3 + 2 + 2)
      const left = [pending, younger, boundary]
      assert.deepStrictEqual((yield* deliveredEvents(endpoint)).reverse(), left)
      assert.deepStrictEqual(yield* bodiesOf(own), left)
      assert.lengthOf(yield* query("SELECT FROM webhook_attempts WHERE organization_id = $1", own), 7)
      for (const table of ["webhook_deliveries", "webhook_bodies", "webhook_attempts"] as const) {
        assert.strictEqual(yield* update(table, 62, thirtyDays), 2 + 1)
        assert.deepStrictEqual(yield* names(table), months(table, 1, 2, 3))
      }
      assert.deepStrictEqual((yield* deliveredEvents(endpoint)).reverse(), left)
      assert.deepStrictEqual(yield* bodiesOf(own), left)

      assert.strictEqual(yield* recovered(endpoint, -10), ended.length)
      assert.sameMembers(yield* deliveredEvents(endpoint), [...left, ...ended])
      assert.isTrue(yield* remove(own, endpoint.id))
      assert.isEmpty(yield* query("SELECT FROM webhook_deliveries WHERE endpoint_id = $1", endpoint.id))
      assert.isEmpty(yield* bodiesOf(own))
    }).pipe(Effect.provide(OwnStoreLive))
  )

  it.live("are read only where a delivery can be", () =>
    Effect.gen(function* () {
      const { findDelivery, retry } = yield* WebhookEndpointRepo
      const { settle, take } = yield* WebhookQueue
      yield* update("webhook_deliveries", 40)
      yield* update("webhook_bodies", 40)
      const own = yield* makeOrganization()
      const endpoint = yield* endpointOf(own)
      yield* Effect.forEach([1, 4, 34, 66], (days) => writeEvent(own, days))
      const [, second] = yield* deliveriesOf(endpoint)
      yield* query("DELETE FROM webhook_queue")
      assert(second !== undefined)
      const read = <A, E, R>(effect: Effect.Effect<A, E, R>) => partitionsRead("webhook_deliveries", effect)
      const own34 = months("webhook_deliveries", 1)

      assert.deepStrictEqual(yield* read(findDelivery(own, endpoint.id, second.id)), own34)
      assert.deepStrictEqual(yield* read(retry(own, endpoint.id, second.id)), own34)
      const request = { worker: "a", lease: thirtyDays, limit: 10, perOwner: 10, skipped: [], except: [] }
      const taking = Effect.tap(take(request), (taken) => assert.lengthOf(taken, 1))
      assert.deepStrictEqual(yield* partitionsRead("webhook_bodies", taking), months("webhook_bodies", 1))
      yield* query("UPDATE webhook_queue SET lease_until = NULL, worker = NULL")
      const settling = Effect.flatMap(take(request), (taken) =>
        settle(
          "a",
          taken.map((one) => ({
            taken: one,
            settlement: { attempt: null, result: "failed", status: "failed", retriesUsed: 0, retryAt: null }
          }))
        )
      )
      assert.deepStrictEqual(yield* read(settling), own34)
    }).pipe(Effect.provide(OwnStoreLive))
  )
})

describe("Partitions of key activity", () => {
  it.live("are dropped when all requests have expired", () =>
    Effect.gen(function* () {
      const { insert, list, stats } = yield* KeyActivityRepo
      const { deleteKeyActivity } = yield* RetentionRepo
      const key: { readonly organizationId: OrganizationId; readonly apiKeyId: ApiKeyId } = yield* makeKey
      const writeUses = (count: number, days: number, at = days) =>
        insert(
          Array.from({ length: count }, (_, place) => ({
            ...key,
            id: v7({ msecs: DateTime.toEpochMillis(day(days)) + place }),
            method: "GET",
            path: "/v1/messages",
            route: "/v1/messages",
            status: 200,
            latencyMs: 3,
            ipAddress: "192.0.2.7",
            at: DateTime.toEpochMillis(day(at)) + place
          }))
        )
      const listed = Effect.map(
        list(key.organizationId, key.apiKeyId, { page: 1, limit: 100 }),
        ({ items, pagination }) => [items.length, pagination.total]
      )
      for (const days of [-3, 1, 2]) yield* writeUses(4, days)
      yield* writeUses(1, 2.5, 50)
      yield* writeUses(2, 33)
      assert.deepStrictEqual(yield* listed, [15, 15])
      assert.strictEqual(yield* deleteKeyActivity(thirtyDays).pipe(onDay(62)), 12)
      assert.strictEqual(yield* update("api_key_activity", 62, thirtyDays), 2 + 1)
      assert.deepStrictEqual(yield* names("api_key_activity"), months("api_key_activity", 1, 2, 3))
      assert.deepStrictEqual(yield* listed, [3, 3])
      // A late row is stored; rows that stayed expire.
      yield* writeUses(1, 1)
      assert.strictEqual(yield* deleteKeyActivity(thirtyDays).pipe(onDay(100)), 4)
      assert.deepStrictEqual(yield* listed, [0, 0])
      assert.strictEqual((yield* stats(key.organizationId, key.apiKeyId)).totalRequests, 0)
    }).pipe(Effect.provide(OwnStoreLive))
  )
})
