import { assert, describe, it } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { WebhookQueue } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { type StoredWebhookEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { recoverDeliveries } from "@switchboard/store/webhooks/RecoverDeliveries"
import { DateTime, Deferred, Duration, Effect, Fiber, Option } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { deliveriesOf, makeEndpoint, queueOf } from "../webhooks/Fixtures.js"
import { begins, day, elsewhere, onDay, partitionsRead, query, update, writeEvent } from "./Fixtures.js"

const thirtyDays = Duration.days(30)

/** An endpoint that exists before all events of the tests. */
const endpointOf = (organization: OrganizationId) => makeEndpoint(organization, { createdAt: day(-400) })

const deliveredEvents = (endpoint: StoredWebhookEndpoint) =>
  Effect.map(deliveriesOf(endpoint), (deliveries) => deliveries.map(({ eventId }) => eventId))

/** The number of deliveries that are queued again: failed ones, and missed events. */
const recovered = ({ id, organizationId }: StoredWebhookEndpoint, days: number) =>
  Effect.flatMap(WebhookEndpointRepo, ({ recover }) => Effect.flatten(recover(organizationId, id, day(days))))

/** Stores a body for each delivery of an endpoint. */
const writeBodies = ({ id }: StoredWebhookEndpoint) =>
  query(
    `INSERT INTO webhook_bodies (organization_id, delivery_id, body)
    SELECT organization_id, id, event_id::text FROM webhook_deliveries WHERE endpoint_id = $1`,
    id
  )

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
      yield* Effect.forEach([0, 10, 20], (days) => update("webhook_deliveries", days, thirtyDays))
      const own = yield* makeOrganization()
      const endpoint = yield* endpointOf(own)
      const events = (yield* Effect.forEach([-5, 1, 1, 1, 7, 15], (days) => writeEvent(own, days))).sort()
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

  it.live("are dropped with their bodies when all deliveries have expired, except pending and younger ones", () =>
    Effect.gen(function* () {
      const { remove } = yield* WebhookEndpointRepo
      yield* Effect.forEach([0, 10, 20, 30], (days) => update("webhook_deliveries", days, thirtyDays))
      yield* Effect.forEach([0, 10, 20, 30], (days) => update("webhook_bodies", days, thirtyDays))
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
      const younger = yield* write(2, "succeeded", 20)
      const boundary = yield* write(3, "succeeded")
      yield* writeBodies(endpoint)

      const updates = (days: number) =>
        Effect.zip(update("webhook_deliveries", days, thirtyDays), update("webhook_bodies", days, thirtyDays))
      yield* updates(32.9)
      assert.sameMembers(yield* deliveredEvents(endpoint), [pending, ...ended, younger, boundary])
      assert.deepStrictEqual(yield* updates(33), [1, 1])
      assert.deepStrictEqual((yield* begins("webhook_deliveries")).slice(0, 2), [
        [null, 3],
        [3, 6]
      ])
      const left = [pending, younger, boundary]
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
      const { eraseEvents } = yield* RetentionRepo
      yield* Effect.forEach([0, 10, 20], (days) => update("webhook_deliveries", days, thirtyDays))
      yield* Effect.forEach([0, 10, 20], (days) => update("webhook_bodies", days, thirtyDays))
      const own = yield* makeOrganization()
      const endpoint = yield* endpointOf(own)
      yield* Effect.forEach([1, 4, 4.5, 7, 7.5, 10], (days) => writeEvent(own, days))
      const all = yield* deliveriesOf(endpoint)
      yield* query("DELETE FROM webhook_queue")
      const [, second] = all
      assert(second !== undefined)
      const read = <A, E, R>(effect: Effect.Effect<A, E, R>) => partitionsRead("webhook_deliveries", effect)
      const partition = (end: string) => `webhook_deliveries_to_202503${end}`

      assert.deepStrictEqual(yield* read(findDelivery(own, endpoint.id, second.id)), [partition("22")])
      assert.deepStrictEqual(yield* read(retry(own, endpoint.id, second.id)), [partition("22")])
      const request = { worker: "a", lease: thirtyDays, limit: 10, perOwner: 10, skipped: [], except: [] }
      const taking = partitionsRead(
        "webhook_bodies",
        Effect.tap(take(request), (taken) => assert.lengthOf(taken, 1))
      )
      assert.deepStrictEqual(yield* taking, ["webhook_bodies_to_20250322"])
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
      assert.deepStrictEqual(yield* read(settling), [partition("22")])
      yield* query("UPDATE webhook_deliveries SET status = 'succeeded'")
      assert.deepStrictEqual(yield* read(eraseEvents(thirtyDays).pipe(onDay(35.5))), [partition("16"), partition("19")])
    }).pipe(Effect.provide(OwnStoreLive))
  )
})
