import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { WebhookDelivery, WebhookDeliveryId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { type StoredWebhookEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { insertEvents } from "@switchboard/store/events/InsertEvents"
import { disableEndpoints } from "@switchboard/store/webhooks/SettleWebhooks"
import { Array, DateTime, Effect, Option, Struct } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"
import {
  deliveriesOf,
  makeEndpoint,
  newEndpoint,
  newEvent,
  options,
  queuedTypes,
  queueOf,
  secret,
  writeEvents
} from "./Fixtures.js"

const firstPage = { page: 1, limit: 20 }

const stored = ({ id, organizationId }: StoredWebhookEndpoint) =>
  Effect.flatMap(WebhookEndpointRepo, ({ find }) => Effect.flatten(find(organizationId, id)))

const activate = (endpoint: StoredWebhookEndpoint, status: StoredWebhookEndpoint["status"]) =>
  Effect.flatMap(WebhookEndpointRepo, ({ update }) =>
    update(endpoint.organizationId, endpoint.id, (before) => ({ ...before, status }))
  )

/** Ends a delivery with an attempt at a time, like a worker. */
const ended = (
  { id, organizationId }: StoredWebhookEndpoint,
  delivery: WebhookDelivery,
  status: "succeeded" | "failed",
  at = new Date()
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM webhook_queue WHERE organization_id = ${organizationId} AND id = ${delivery.id}`
    yield* sql`UPDATE webhook_deliveries SET status = ${status}, attempts = 1, retries_used = 9, next_attempt_at = NULL
      WHERE organization_id = ${organizationId} AND id = ${delivery.id}`
    yield* sql`INSERT INTO webhook_attempts
      (organization_id, delivery_id, attempt, trigger, at, response_status, response_body, duration_ms)
      VALUES (${organizationId}, ${delivery.id}, 1, 'scheduled', ${at}, 500, 'no', 12)`
    yield* sql`UPDATE webhook_endpoint_health SET failing_since = ${at},
        delivered = delivered + ${status === "succeeded" ? 1 : 0}, failed = failed + ${status === "failed" ? 1 : 0}
      WHERE organization_id = ${organizationId} AND endpoint_id = ${id}`
  })

const hold = ({ organizationId }: StoredWebhookEndpoint, delivery: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE webhook_queue SET worker = 'w', lease_until = now() + interval '1 minute'
      WHERE organization_id = ${organizationId} AND id = ${delivery}`
  )

/** A test delivery that failed. */
const failedTest = (endpointId: StoredWebhookEndpoint["id"], at: DateTime.Utc) =>
  new WebhookDelivery({
    id: WebhookDeliveryId.make(v7()),
    endpointId,
    eventId: v7(),
    eventType: "webhook_endpoint.test",
    status: "failed",
    attempts: [{ attempt: 1, trigger: "test", at, durationMs: 3, error: "No address" }],
    createdAt: at
  })

const only = (endpoint: StoredWebhookEndpoint) =>
  Effect.map(deliveriesOf(endpoint), ([first]) => first ?? assert.fail("nothing is to be delivered"))

layer(StoreLive, options)("WebhookEndpointRepo", (it) => {
  it.effect("finds an endpoint for its own organization only", () =>
    Effect.gen(function* () {
      const { find } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization(), {
        description: "For the shop",
        headers: Buffer.from("headers"),
        filters: { channels: ["email"], isTest: false },
        rateLimit: { maxPerSecond: 5 },
        priority: -3,
        testMode: true,
        createdBy: v7()
      })
      const found = yield* stored(endpoint)
      assert.deepStrictEqual(
        { ...found.endpoint, headers: Buffer.from(found.endpoint.headers ?? []) },
        { ...endpoint, headers: Buffer.from("headers") }
      )
      assert.deepStrictEqual(found.health, {
        delivered: 0,
        failed: 0,
        pending: 0,
        retrying: 0,
        attempts: 0,
        attemptsSucceeded: 0,
        averageLatencyMs: 0,
        lastSuccessAt: null,
        lastFailureAt: null,
        failingSince: null
      })
      assert.isTrue(Option.isNone(yield* find(yield* makeOrganization(), endpoint.id)))
    })
  )

  it.effect("rejects a slug that the organization uses, and accepts it in another", () =>
    Effect.gen(function* () {
      const { insert } = yield* WebhookEndpointRepo
      const [mine, other] = [yield* makeOrganization(), yield* makeOrganization()]
      yield* makeEndpoint(mine, { slug: "orders" })
      yield* makeEndpoint(other, { slug: "orders" })
      const conflict = yield* Effect.flip(insert(yield* newEndpoint(mine, { slug: "orders" }), secret))
      assert.include(conflict, { _tag: "ConflictError", resource: "webhookEndpoint" })
    })
  )

  it.effect("lists endpoints newest first, by status and part of the name, description or URL", () =>
    Effect.gen(function* () {
      const { list } = yield* WebhookEndpointRepo
      const organization = yield* makeOrganization()
      const shop = yield* makeEndpoint(organization, { name: "The Shop", description: "100%" })
      const paused = yield* makeEndpoint(organization, { status: "paused", url: "https://SHOP.example/x" })
      const ids = (filter: Parameters<typeof list>[1], page = firstPage) =>
        Effect.map(list(organization, filter, page), ({ items, pagination }) => [
          items.map(({ endpoint }) => endpoint.id),
          pagination.total
        ])
      assert.deepStrictEqual(yield* ids({}), [[paused.id, shop.id], 2])
      assert.deepStrictEqual(yield* ids({}, { page: 2, limit: 1 }), [[shop.id], 2])
      assert.deepStrictEqual(yield* ids({ status: "paused" }), [[paused.id], 1])
      assert.deepStrictEqual(yield* ids({ search: "shop" }), [[paused.id, shop.id], 2])
      assert.deepStrictEqual(yield* ids({ search: "0%" }), [[shop.id], 1])
      assert.deepStrictEqual(yield* ids({ search: "%" }), [[shop.id], 1])
      assert.deepStrictEqual(yield* ids({ status: "disabled" }), [[], 0])
    })
  )

  it.effect("applies concurrent changes to an endpoint one after the other", () =>
    Effect.gen(function* () {
      const { update } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const raise = (before: StoredWebhookEndpoint) => ({ ...before, priority: before.priority + 1 })
      yield* Effect.replicateEffect(update(endpoint.organizationId, endpoint.id, raise), 5, {
        concurrency: "unbounded"
      })
      assert.strictEqual((yield* stored(endpoint)).endpoint.priority, 5)
      assert.isFalse(yield* update(yield* makeOrganization(), endpoint.id, raise))
    })
  )

  it.effect("keeps pending deliveries of a paused endpoint, and makes them ready when it is resumed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const { id, organizationId } = endpoint
      yield* writeEvents(organizationId, "api_key.created", "api_key.rotated", "api_key.deleted")
      const [held = "", waits = "", ready = ""] = yield* queueOf(endpoint)
      yield* hold(endpoint, held)
      yield* sql`DELETE FROM webhook_queue WHERE id = ${waits}`
      yield* sql`INSERT INTO webhook_waiting (organization_id, endpoint_id, id, due_at)
        VALUES (${organizationId}, ${id}, ${waits}, now() + interval '1 hour')`
      yield* sql`UPDATE webhook_endpoint_health SET failing_since = now() WHERE endpoint_id = ${id}`

      yield* activate(endpoint, "paused")
      assert.deepStrictEqual(yield* queueOf(endpoint), [held])
      assert.lengthOf(yield* sql`SELECT FROM webhook_waiting WHERE endpoint_id = ${id}`, 0)
      assert.strictEqual((yield* stored(endpoint)).health.pending, 3)
      for (const { nextAttemptAt } of yield* deliveriesOf(endpoint)) assert.isUndefined(nextAttemptAt)

      yield* activate(endpoint, "active")
      assert.deepStrictEqual(yield* queueOf(endpoint), [held, waits, ready])
      const [health] = yield* sql`SELECT failing_since FROM webhook_endpoint_health WHERE endpoint_id = ${id}`
      assert.isNull(health?.failing_since)
    })
  )

  it.effect("removes an endpoint with its deliveries and attempts, for its own organization only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { remove } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const { id, organizationId } = endpoint
      const neighbour = yield* makeEndpoint(organizationId)
      yield* writeEvents(organizationId, "api_key.created", "api_key.deleted")
      for (const one of [endpoint, neighbour]) yield* ended(one, yield* only(one), "failed")
      assert.isFalse(yield* remove(yield* makeOrganization(), id))
      assert.isTrue(yield* remove(organizationId, id))
      assert.isFalse(yield* remove(organizationId, id))
      for (const table of ["health", "queue", "waiting", "deliveries"]) {
        const name = table === "health" ? "webhook_endpoint_health" : `webhook_${table}`
        assert.lengthOf(yield* sql`SELECT FROM ${sql(name)} WHERE endpoint_id = ${id}`, 0, name)
      }
      const [left] = yield* sql<{ attempts: number }>`SELECT count(*)::int AS attempts FROM webhook_attempts
        WHERE organization_id = ${organizationId}`
      assert.strictEqual(left?.attempts, 1)
      assert.lengthOf(yield* deliveriesOf(neighbour), 2)
    })
  )

  it.effect("signs with each replaced secret until its own end, at most ten, without the first to end", () =>
    Effect.gen(function* () {
      const { replaceSecret, secrets } = yield* WebhookEndpointRepo
      const { id, organizationId } = yield* makeEndpoint(yield* makeOrganization())
      const signing = Effect.map(secrets(organizationId, id), (all) =>
        all.map((bytes) => Buffer.from(bytes).toString())
      )
      const replace = (next: string, hours: number) =>
        Effect.flatMap(DateTime.now, (now) =>
          replaceSecret(organizationId, id, Buffer.from(next), DateTime.add(now, { hours }))
        )
      assert.deepStrictEqual(yield* signing, ["sealed"])
      assert.isTrue(yield* replace("second", 24))
      assert.deepStrictEqual(yield* signing, ["second", "sealed"])
      yield* replace("third", 48)
      assert.deepStrictEqual(yield* signing, ["third", "second", "sealed"])
      yield* replace("fourth", -1)
      assert.deepStrictEqual(yield* signing, ["fourth", "second", "sealed"])
      yield* Effect.forEach(Array.range(5, 13), (place) => replace(String(place), place === 7 ? 1 : 36))
      assert.deepStrictEqual(
        new Set(yield* signing),
        new Set(["13", "12", "11", "10", "9", "8", "7", "5", "fourth", "second", "sealed"])
      )
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE secrets SET valid_until = now() WHERE owner = ${id} AND value <> 'second' AND valid_until IS NOT NULL`
      assert.deepStrictEqual(yield* signing, ["13", "second"])
    })
  )

  it.effect("lists deliveries with their attempts, by status and event", () =>
    Effect.gen(function* () {
      const { deliveries, findDelivery } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const { id, organizationId } = endpoint
      yield* writeEvents(organizationId, "api_key.created", "api_key.deleted")
      const [last, first] = yield* deliveriesOf(endpoint)
      assert(last !== undefined && first !== undefined)
      yield* ended(endpoint, first, "failed", new Date("2026-11-20T09:30:00.000Z"))
      const ids = (filter: Parameters<typeof deliveries>[2], page = firstPage) =>
        Effect.map(deliveries(organizationId, id, filter, page), ({ items, pagination }) => [
          items.map((delivery) => delivery.id),
          pagination.total
        ])
      assert.deepStrictEqual(yield* ids({}), [[last.id, first.id], 2])
      assert.deepStrictEqual(yield* ids({}, { page: 2, limit: 1 }), [[first.id], 2])
      assert.deepStrictEqual(yield* ids({ status: "failed" }), [[first.id], 1])
      assert.deepStrictEqual(yield* ids({ event: "api_key.deleted" }), [[last.id], 1])
      assert.deepStrictEqual(yield* ids({ event: "api_key.deleted", status: "failed" }), [[], 0])
      const found = yield* Effect.flatten(findDelivery(organizationId, id, first.id))
      assert.deepStrictEqual(found.attempts, [
        {
          attempt: 1,
          trigger: "scheduled",
          at: DateTime.unsafeMake("2026-11-20T09:30:00.000Z"),
          responseStatus: 500,
          responseBody: "no",
          durationMs: 12
        }
      ])
      const other = yield* makeEndpoint(organizationId)
      assert.isTrue(Option.isNone(yield* findDelivery(organizationId, other.id, first.id)))
      assert.isTrue(Option.isNone(yield* findDelivery(yield* makeOrganization(), id, first.id)))
    })
  )
})

layer(StoreLive, options)("A retry of a delivery", (it) => {
  it.effect("is attempted now after any result, and is subtracted from the counts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { retry } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const { id, organizationId } = endpoint
      yield* writeEvents(organizationId, "api_key.created", "api_key.rotated", "api_key.deleted")
      const [waits, succeeded, failed] = yield* deliveriesOf(endpoint)
      assert(waits !== undefined && succeeded !== undefined && failed !== undefined)
      yield* ended(endpoint, failed, "failed")
      yield* ended(endpoint, succeeded, "succeeded")
      yield* sql`DELETE FROM webhook_queue WHERE id = ${waits.id}`
      yield* sql`INSERT INTO webhook_waiting (organization_id, endpoint_id, id, due_at)
        VALUES (${organizationId}, ${id}, ${waits.id}, now() + interval '1 hour')`
      assert.include((yield* stored(endpoint)).health, { delivered: 1, failed: 1, pending: 1 })

      for (const delivery of [failed, succeeded, waits]) {
        assert.strictEqual(yield* retry(organizationId, id, delivery.id), "ready")
      }
      assert.deepStrictEqual(yield* queueOf(endpoint), [failed.id, succeeded.id, waits.id])
      assert.lengthOf(yield* sql`SELECT FROM webhook_waiting WHERE endpoint_id = ${id}`, 0)
      assert.include((yield* stored(endpoint)).health, { delivered: 0, failed: 0, pending: 3 })
      const rows = yield* sql`SELECT DISTINCT status, trigger, next_attempt_at <= now() AS now
        FROM webhook_deliveries WHERE endpoint_id = ${id}`
      assert.deepStrictEqual(rows, [{ status: "pending", trigger: "manual", now: true }])
    })
  )

  it.effect("is refused for leased deliveries, inactive endpoints and tests", () =>
    Effect.gen(function* () {
      const { insertTest, retry } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const { id, organizationId } = endpoint
      yield* writeEvents(organizationId, "api_key.created")
      const delivery = yield* only(endpoint)
      const outcome = retry(organizationId, id, delivery.id)
      assert.strictEqual(yield* outcome, "ready")
      yield* hold(endpoint, delivery.id)
      assert.strictEqual(yield* outcome, "held")
      yield* activate(endpoint, "paused")
      assert.strictEqual(yield* outcome, "inactive")
      assert.strictEqual(yield* retry(yield* makeOrganization(), id, delivery.id), "missing")
      assert.strictEqual(yield* retry(organizationId, id, WebhookDeliveryId.make(v7())), "missing")

      const test = failedTest(id, yield* DateTime.now)
      yield* insertTest(organizationId, test)
      assert.deepStrictEqual((yield* deliveriesOf(endpoint))[0], test)
      assert.strictEqual(yield* retry(organizationId, id, test.id), "test")
      assert.include((yield* stored(endpoint)).health, { delivered: 0, failed: 0, pending: 1 })
    })
  )
})

layer(StoreLive, options)("An endpoint that fails", (it) => {
  it.effect("is disabled once with its pending deliveries, and other endpoints get an event", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization = yield* makeOrganization()
      const [endpoint, other] = [yield* makeEndpoint(organization), yield* makeEndpoint(organization)]
      yield* writeEvents(organization, "api_key.created", "api_key.deleted")
      const [held = "", waits = ""] = yield* queueOf(endpoint)
      yield* hold(endpoint, held)
      yield* sql`DELETE FROM webhook_queue WHERE id = ${waits}`
      yield* sql`INSERT INTO webhook_waiting (organization_id, endpoint_id, id, due_at)
        VALUES (${organization}, ${endpoint.id}, ${waits}, now())`

      yield* Effect.replicateEffect(sql.withTransaction(disableEndpoints(sql, [endpoint.id])), 3, {
        concurrency: "unbounded"
      })
      const { endpoint: after, health } = yield* stored(endpoint)
      assert.deepStrictEqual(Struct.pick(after, "status"), { status: "disabled" })
      assert.include(health, { failed: 2, pending: 0 })
      assert.deepStrictEqual(yield* queueOf(endpoint), [])
      assert.lengthOf(yield* sql`SELECT FROM webhook_waiting WHERE endpoint_id = ${endpoint.id}`, 0)
      assert.deepStrictEqual(yield* queuedTypes(endpoint), ["api_key.created", "api_key.deleted"])
      assert.deepStrictEqual(yield* queuedTypes(other), [
        "api_key.created",
        "api_key.deleted",
        "webhook_endpoint.disabled"
      ])
    })
  )

  it.effect("recovers deliveries that failed or were missed since a time, in order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { insertTest, recover } = yield* WebhookEndpointRepo
      const organization = yield* makeOrganization()
      // An event of the millisecond in which the endpoint is created would belong to it.
      const early = yield* newEvent(organization)
      yield* insertEvents(sql, [{ ...early, at: DateTime.subtract(early.at, { seconds: 1 }) }])
      const endpoint = yield* makeEndpoint(organization, { events: ["api_key.*", "webhook_endpoint.*"] })
      const since = DateTime.subtract(yield* DateTime.now, { days: 1 })
      const outcome = Effect.map(recover(organization, endpoint.id, since), Option.getOrNull)

      yield* writeEvents(organization, "api_key.created")
      const delivered = yield* only(endpoint)
      yield* ended(endpoint, delivered, "succeeded")
      yield* writeEvents(organization, "api_key.rotated")
      const failed = yield* only(endpoint)
      yield* insertTest(organization, failedTest(endpoint.id, yield* DateTime.now))
      yield* sql.withTransaction(disableEndpoints(sql, [endpoint.id]))
      yield* writeEvents(organization, "api_key.deleted", "organization.updated", "api_key.created")
      assert.isNull(yield* outcome)
      assert.isTrue(Option.isNone(yield* recover(yield* makeOrganization(), endpoint.id, since)))

      yield* activate(endpoint, "active")
      assert.strictEqual(yield* outcome, 3)
      const queue = yield* queueOf(endpoint)
      assert.deepStrictEqual(queue.slice(0, 1), [failed.id])
      const pending = (yield* deliveriesOf(endpoint)).filter(({ status }) => status === "pending").reverse()
      assert.deepStrictEqual(
        pending.map(({ eventType, id }) => [id, eventType]),
        [
          [queue[0], "api_key.rotated"],
          [queue[1], "api_key.deleted"],
          [queue[2], "api_key.created"]
        ]
      )
      assert.include((yield* stored(endpoint)).health, { delivered: 1, failed: 0, pending: 3 })
      const rows = yield* sql`SELECT DISTINCT trigger, retries_used FROM webhook_deliveries
        WHERE endpoint_id = ${endpoint.id} AND status = 'pending'`
      assert.deepStrictEqual(rows, [{ trigger: "manual", retries_used: 0 }])
      assert.strictEqual(yield* outcome, 0)
    })
  )

  it.effect("does not recover earlier failures", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { recover } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const { id, organizationId } = endpoint
      const old = "01900000-0000-7000-8000-000000000000"
      yield* writeEvents(organizationId, "api_key.created")
      yield* sql`UPDATE webhook_deliveries SET id = ${old} WHERE endpoint_id = ${id}`
      yield* sql`DELETE FROM events WHERE organization_id = ${organizationId}`
      yield* ended(endpoint, yield* only(endpoint), "failed", new Date("2026-11-19T09:30:00.000Z"))
      yield* sql`DELETE FROM webhook_queue WHERE endpoint_id = ${id}`
      const since = (iso: string) => Effect.map(recover(organizationId, id, DateTime.unsafeMake(iso)), Option.getOrNull)
      assert.strictEqual(yield* since("2026-11-19T09:30:00.001Z"), 0)
      // The time of the last attempt counts.
      assert.strictEqual(yield* since("2026-11-19T09:30:00.000Z"), 1)
      const rows = yield* sql`SELECT status, retries_used FROM webhook_deliveries WHERE endpoint_id = ${id}`
      assert.deepStrictEqual(rows, [{ status: "pending", retries_used: 0 }])
    })
  )

  it.effect("returns the statistics of its deliveries and attempts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { insertTest, stats } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const { id, organizationId } = endpoint
      const none = {
        total: 0,
        succeeded: 0,
        failed: 0,
        pending: 0,
        retrying: 0,
        attempts: 0,
        successRate: 0,
        averageLatencyMs: 0,
        last24Hours: 0
      }
      assert.deepStrictEqual({ ...(yield* Effect.flatten(stats(organizationId, id))) }, none)
      yield* writeEvents(organizationId, "api_key.created")
      yield* sql`UPDATE webhook_endpoint_health SET delivered = 3, failed = 1, attempts_succeeded = 3,
        attempts_failed = 9, latency_ms_sum = 100 WHERE endpoint_id = ${id}`
      assert.deepStrictEqual(
        { ...(yield* Effect.flatten(stats(organizationId, id))) },
        {
          ...none,
          total: 5,
          succeeded: 3,
          failed: 1,
          pending: 1,
          attempts: 12,
          successRate: 0.25,
          averageLatencyMs: 33,
          last24Hours: 1
        }
      )
      assert.isTrue(Option.isNone(yield* stats(yield* makeOrganization(), id)))
      yield* insertTest(organizationId, failedTest(id, yield* DateTime.now))
      assert.include(yield* Effect.flatten(stats(organizationId, id)), { total: 5, failed: 1, last24Hours: 1 })
    })
  )
})
