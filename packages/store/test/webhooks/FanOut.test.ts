import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { WebhookDelivery } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookFilters } from "@switchboard/domain/webhooks/WebhookRequests"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"
import { deliveriesOf, makeEndpoint, options, queuedTypes, queueOf, writeEvents } from "./Fixtures.js"

/** Accepts a message: writes `message.created`, and `message.scheduled` if it is scheduled. */
const accept = (...parameters: Parameters<typeof newMessage>) =>
  Effect.flatMap(Effect.zip(MessageRepo, newMessage(...parameters)), ([{ accept }, message]) => accept(message))

layer(StoreLive, options)("An event", (it) => {
  it.effect("is queued once for each endpoint that subscribes to it, its group or all events", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const subscribing = (...events: ReadonlyArray<string>) => makeEndpoint(organization, { events })
      const exact = yield* subscribing("api_key.created")
      const group = yield* subscribing("api_key.*")
      const all = yield* subscribing("*")
      const twice = yield* subscribing("*", "api_key.*", "api_key.created")
      const other = yield* subscribing("message.*", "organization.updated")
      yield* writeEvents(organization, "api_key.created", "api_key.deleted")
      assert.deepStrictEqual(yield* queuedTypes(exact), ["api_key.created"])
      assert.deepStrictEqual(yield* queuedTypes(group), ["api_key.created", "api_key.deleted"])
      assert.deepStrictEqual(yield* queuedTypes(all), ["api_key.created", "api_key.deleted"])
      assert.deepStrictEqual(yield* queuedTypes(twice), ["api_key.created", "api_key.deleted"])
      assert.deepStrictEqual(yield* queuedTypes(other), [])
    })
  )

  it.effect("becomes a pending delivery that is ready, with a UUIDv7", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const [event = assert.fail("nothing happened")] = yield* writeEvents(
        endpoint.organizationId,
        "organization.updated"
      )
      const [delivery = assert.fail("nothing is to be delivered")] = yield* deliveriesOf(endpoint)
      assert.include(delivery, { endpointId: endpoint.id, eventId: event.id, status: "pending" })
      assert.deepStrictEqual(delivery.attempts, [])
      assert.deepStrictEqual(yield* queueOf(endpoint), [delivery.id])
      assert.match(delivery.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      const encoded = Schema.encodeSync(WebhookDelivery)(delivery)
      assert.deepStrictEqual(Schema.decodeUnknownSync(WebhookDelivery)(encoded), delivery)
      const millis = Number.parseInt(delivery.id.replaceAll("-", "").slice(0, 12), 16)
      assert.isBelow(Math.abs(millis - delivery.createdAt.epochMillis), 5_000)
    })
  )

  it.effect("is not queued for endpoints of other organizations", () =>
    Effect.gen(function* () {
      const [mine, others] = [yield* makeOrganization(), yield* makeOrganization()]
      const [own, other] = [yield* makeEndpoint(mine), yield* makeEndpoint(others)]
      yield* writeEvents(mine, "api_key.created")
      assert.deepStrictEqual(yield* queuedTypes(own), ["api_key.created"])
      assert.deepStrictEqual(yield* queuedTypes(other), [])
    })
  )

  it.effect("waits for a paused endpoint, and skips a disabled one", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const paused = yield* makeEndpoint(organization, { status: "paused" })
      const disabled = yield* makeEndpoint(organization, { status: "disabled" })
      yield* writeEvents(organization, "api_key.created")
      const [delivery] = yield* deliveriesOf(paused)
      assert.strictEqual(delivery?.status, "pending")
      assert.isUndefined(delivery?.nextAttemptAt)
      assert.deepStrictEqual(yield* queueOf(paused), [])
      assert.deepStrictEqual(yield* deliveriesOf(disabled), [])
    })
  )

  it.effect("leaves no delivery when its transaction is rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const rolledBack = yield* Effect.exit(
        sql.withTransaction(
          Effect.zipRight(writeEvents(endpoint.organizationId, "api_key.created"), Effect.fail("undo"))
        )
      )
      assert.isTrue(Exit.isFailure(rolledBack))
      assert.deepStrictEqual(yield* deliveriesOf(endpoint), [])
      assert.deepStrictEqual(yield* queueOf(endpoint), [])
    })
  )

  it.effect("is queued for an endpoint that is resumed concurrently", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { update } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization(), { status: "paused" })
      const written = yield* Deferred.make<void>()
      const writing = yield* Effect.fork(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* writeEvents(endpoint.organizationId, "api_key.created")
            yield* Deferred.succeed(written, undefined)
            // Until the update of the endpoint waits for this transaction.
            yield* Effect.repeat(
              sql`SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
              { until: (rows) => rows.length > 0 }
            )
          })
        )
      )
      yield* Deferred.await(written)
      yield* update(endpoint.organizationId, endpoint.id, (before) => ({ ...before, status: "active" }))
      yield* Fiber.join(writing)
      assert.lengthOf(yield* queueOf(endpoint), 1)
    })
  )
})

layer(StoreLive, options)("An event about a message", (it) => {
  it.effect("passes all filters that match its message", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const filtered = (...parameters: ReadonlyArray<WebhookFilters>) =>
        Effect.forEach(parameters, (filters) =>
          makeEndpoint(organization, { events: ["message.created", "api_key.*"], filters })
        )
      const passing = yield* filtered(
        {},
        { channels: ["email"] },
        { channels: ["sms", "email"], tags: ["z", "a"] },
        { tags: ["a"], isTest: false }
      )
      const stopping = yield* filtered(
        { channels: ["sms"] },
        { tags: ["b"] },
        { isTest: true },
        { channels: ["email"], tags: ["b"] }
      )
      yield* accept(organization)
      yield* writeEvents(organization, "api_key.created")
      for (const endpoint of passing) {
        assert.deepStrictEqual(yield* queuedTypes(endpoint), ["message.created", "api_key.created"])
      }
      for (const endpoint of stopping) assert.deepStrictEqual(yield* queuedTypes(endpoint), ["api_key.created"])
    })
  )

  it.effect("is limited to tests for an endpoint in test mode, unlike other events", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const events = ["message.created", "api_key.*"]
      const tests = yield* makeEndpoint(organization, { events, testMode: true })
      const both = yield* makeEndpoint(organization, { events })
      yield* accept(organization)
      yield* accept(organization, { isTest: true })
      yield* writeEvents(organization, "api_key.created")
      assert.deepStrictEqual(yield* queuedTypes(tests), ["message.created", "api_key.created"])
      assert.deepStrictEqual(yield* queuedTypes(both), ["message.created", "message.created", "api_key.created"])
    })
  )

  it.effect("is delivered in order, also to many endpoints", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const endpoints = yield* Effect.replicateEffect(makeEndpoint(organization, { events: ["message.*"] }), 10)
      yield* accept(organization, { scheduledAt: DateTime.add(yield* DateTime.now, { days: 1 }) })
      for (const endpoint of endpoints) {
        assert.deepStrictEqual(yield* queuedTypes(endpoint), ["message.created", "message.scheduled"])
      }
    })
  )
})
