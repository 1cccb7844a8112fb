import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { WebhookDelivery } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookFilters } from "@switchboard/domain/webhooks/WebhookRequests"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { deliveriesOf, happen, heard, Live, makeEndpoint, options, queueOf } from "./Fixtures.js"

/** A message that is accepted: `message.created`, and if it waits for its time `message.scheduled`. */
const accept = (...given: Parameters<typeof newMessage>) =>
  Effect.flatMap(Effect.zip(MessageRepo, newMessage(...given)), ([{ accept }, message]) => accept(message))

layer(Live, options)("An event that is written", (it) => {
  it.effect("is for the endpoints that subscribe to it, to its group or to all, each once", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const subscribing = (...events: ReadonlyArray<string>) => makeEndpoint(organization, { events })
      const exact = yield* subscribing("api_key.created")
      const group = yield* subscribing("api_key.*")
      const all = yield* subscribing("*")
      const twice = yield* subscribing("*", "api_key.*", "api_key.created")
      const other = yield* subscribing("message.*", "organization.updated")
      yield* happen(organization, "api_key.created", "api_key.deleted")
      assert.deepStrictEqual(yield* heard(exact), ["api_key.created"])
      assert.deepStrictEqual(yield* heard(group), ["api_key.created", "api_key.deleted"])
      assert.deepStrictEqual(yield* heard(all), ["api_key.created", "api_key.deleted"])
      assert.deepStrictEqual(yield* heard(twice), ["api_key.created", "api_key.deleted"])
      assert.deepStrictEqual(yield* heard(other), [])
    })
  )

  it.effect("is a pending delivery that is ready now, with an id like any other", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const [event = assert.fail("nothing happened")] = yield* happen(endpoint.organizationId, "organization.updated")
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

  it.effect("is not for endpoints of other organizations", () =>
    Effect.gen(function* () {
      const [mine, others] = [yield* makeOrganization(), yield* makeOrganization()]
      const [own, other] = [yield* makeEndpoint(mine), yield* makeEndpoint(others)]
      yield* happen(mine, "api_key.created")
      assert.deepStrictEqual(yield* heard(own), ["api_key.created"])
      assert.deepStrictEqual(yield* heard(other), [])
    })
  )

  it.effect("waits for an endpoint that is paused, and passes one that is disabled", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const paused = yield* makeEndpoint(organization, { status: "paused" })
      const disabled = yield* makeEndpoint(organization, { status: "disabled" })
      yield* happen(organization, "api_key.created")
      const [delivery] = yield* deliveriesOf(paused)
      assert.strictEqual(delivery?.status, "pending")
      assert.isUndefined(delivery?.nextAttemptAt)
      assert.deepStrictEqual(yield* queueOf(paused), [])
      assert.deepStrictEqual(yield* deliveriesOf(disabled), [])
    })
  )

  it.effect("leaves nothing behind when what it tells is undone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const undone = yield* Effect.exit(
        sql.withTransaction(Effect.zipRight(happen(endpoint.organizationId, "api_key.created"), Effect.fail("undo")))
      )
      assert.isTrue(Exit.isFailure(undone))
      assert.deepStrictEqual(yield* deliveriesOf(endpoint), [])
      assert.deepStrictEqual(yield* queueOf(endpoint), [])
    })
  )

  it.effect("reaches an endpoint that is resumed while it is written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { update } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization(), { status: "paused" })
      const written = yield* Deferred.make<void>()
      const writing = yield* Effect.fork(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* happen(endpoint.organizationId, "api_key.created")
            yield* Deferred.succeed(written, undefined)
            // Until the one who resumes waits for this transaction.
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

layer(Live, options)("An event about a message", (it) => {
  it.effect("passes filters that its message passes, each of them", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const filtered = (...given: ReadonlyArray<WebhookFilters>) =>
        Effect.forEach(given, (filters) =>
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
      yield* happen(organization, "api_key.created")
      for (const endpoint of passing) {
        assert.deepStrictEqual(yield* heard(endpoint), ["message.created", "api_key.created"])
      }
      for (const endpoint of stopping) assert.deepStrictEqual(yield* heard(endpoint), ["api_key.created"])
    })
  )

  it.effect("is the only kind that an endpoint for tests hears of tests alone", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const events = ["message.created", "api_key.*"]
      const tests = yield* makeEndpoint(organization, { events, testMode: true })
      const both = yield* makeEndpoint(organization, { events })
      yield* accept(organization)
      yield* accept(organization, { isTest: true })
      yield* happen(organization, "api_key.created")
      assert.deepStrictEqual(yield* heard(tests), ["message.created", "api_key.created"])
      assert.deepStrictEqual(yield* heard(both), ["message.created", "message.created", "api_key.created"])
    })
  )

  it.effect("comes in the order in which it happened, also to many at once", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const endpoints = yield* Effect.replicateEffect(makeEndpoint(organization, { events: ["message.*"] }), 10)
      yield* accept(organization, { scheduledAt: DateTime.add(yield* DateTime.now, { days: 1 }) })
      for (const endpoint of endpoints) {
        assert.deepStrictEqual(yield* heard(endpoint), ["message.created", "message.scheduled"])
      }
    })
  )
})
