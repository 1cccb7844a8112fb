import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { WebhookDeliveryStatus, WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import type { LeaseRequest } from "@switchboard/services/queues/WorkQueue"
import {
  type TakenWebhook,
  WebhookQueue,
  type WebhookSettlement
} from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { type StoredWebhookEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { Array, DateTime, Duration, Effect, Stream } from "effect"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"
import { deliveriesOf, makeEndpoint, options, queuedTypes, queueOf, writeEvents } from "./Fixtures.js"

const take = (worker: string, overrides: Partial<LeaseRequest<WebhookEndpointId>> = {}) =>
  Effect.flatMap(WebhookQueue, (queue) =>
    queue.take({
      worker,
      lease: Duration.seconds(60),
      limit: 1_000,
      perOwner: 1_000,
      skipped: [],
      except: [],
      ...overrides
    })
  )

/** Leases deliveries of these endpoints only: the tests of a file share a database. */
const takeFor = (worker: string, ...endpoints: ReadonlyArray<StoredWebhookEndpoint>) =>
  Effect.map(take(worker), (taken) => taken.filter(({ target }) => endpoints.some(({ id }) => id === target.id)))

const settle = (worker: string, settlement: WebhookSettlement, ...done: ReadonlyArray<TakenWebhook>) =>
  Effect.flatMap(WebhookQueue, (queue) =>
    queue.settle(
      worker,
      done.map((taken) => ({ taken, settlement }))
    )
  )

const at = DateTime.unsafeNow()

const exchange = {
  durationMs: 40,
  requestHeaders: { "webhook-id": "1" },
  responseStatus: 200,
  responseHeaders: { server: "test" },
  responseBody: "ok"
}

const succeeded = (when = at): WebhookSettlement => ({
  attempt: { at: when, ...exchange },
  result: "succeeded",
  status: "succeeded",
  retriesUsed: 0,
  retryAt: null
})

const failed = (when: DateTime.Utc, retryAt: DateTime.Utc | null): WebhookSettlement => ({
  attempt: { at: when, durationMs: 15_000, error: "No complete response within 15s" },
  result: "failed",
  status: retryAt === null ? "failed" : "pending",
  retriesUsed: 1,
  retryAt
})

const before = DateTime.subtract(at, { minutes: 1 })
const inAnHour = DateTime.addDuration(DateTime.unsafeNow(), "1 hour")

const healthOf = ({ id, organizationId }: StoredWebhookEndpoint) =>
  Effect.flatMap(WebhookEndpointRepo, ({ find }) =>
    Effect.flatMap(Effect.flatten(find(organizationId, id)), ({ endpoint, health }) =>
      Effect.succeed({ ...health, status: endpoint.status })
    )
  )

/** The types of an endpoint's deliveries with a status. */
const typesOf = ({ id, organizationId }: StoredWebhookEndpoint, status: WebhookDeliveryStatus) =>
  Effect.flatMap(WebhookEndpointRepo, ({ deliveries }) =>
    Effect.map(deliveries(organizationId, id, { status }, { page: 1, limit: 100 }), ({ items }) =>
      items.map(({ eventType }) => eventType)
    )
  )

layer(StoreLive, options)("WebhookQueue on PostgreSQL", (it) => {
  it.effect("leases a delivery with its event, endpoint and secrets", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeEndpoint(yield* makeOrganization(), { rateLimit: { maxPerSecond: 5 } })
      const [event = assert.fail("nothing happened")] = yield* writeEvents(
        endpoint.organizationId,
        "organization.updated"
      )
      const [taken = assert.fail("nothing was taken"), ...rest] = yield* takeFor("a", endpoint)
      assert.isEmpty(rest)
      assert.deepInclude(taken, {
        attempt: 1,
        retriesUsed: 0,
        leaseExpiries: 0,
        isRepeat: false,
        trigger: "scheduled"
      })
      assert.deepInclude(taken.target, { url: endpoint.url, headers: null, rateLimit: { maxPerSecond: 5 } })
      assert.deepStrictEqual(taken.target.secrets.map(String), ["sealed"])
      assert.deepInclude(taken.event, { id: event.id, type: "organization.updated", data: {} })
      assert.deepStrictEqual(taken.event.at, event.at)
      assert.isEmpty(yield* takeFor("b", endpoint))
    })
  )

  it.effect("stores the body at the first lease, until its message is deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* makeEndpoint(yield* makeOrganization(), { events: ["message.created"] })
      const { accept, remove } = yield* MessageRepo
      const queue = yield* WebhookQueue
      const accepted = Effect.flatMap(newMessage(endpoint.organizationId), accept)
      const { message } = yield* accepted
      // The worker is lost after the request, before it settles the attempt.
      const [lost = assert.fail("nothing was taken")] = yield* take("lost", { lease: Duration.zero })
      assert.strictEqual(JSON.parse(lost.body ?? "").data.id, message.id)
      assert.isAtLeast(yield* queue.recover, 1)
      yield* sql`UPDATE message_states SET delivery_attempts = 3 WHERE message_id = ${message.id}`
      const [second] = yield* takeFor("b", endpoint)
      assert.strictEqual(second?.body, lost.body)
      yield* settle("b", failed(at, at), ...Array.fromNullable(second))
      const [third] = yield* takeFor("b", endpoint)
      assert.strictEqual(third?.body, lost.body)

      yield* settle("b", failed(at, at), ...Array.fromNullable(third))
      yield* remove(endpoint.organizationId, message.id)
      assert.isEmpty(yield* sql`SELECT FROM webhook_bodies WHERE organization_id = ${endpoint.organizationId}`)
      const leased = (yield* takeFor("b", endpoint)).filter(({ deliveryId }) => deliveryId === lost.deliveryId)
      assert.deepStrictEqual(
        leased.map(({ body }) => body),
        [null]
      )
    })
  )

  it.effect("returns each replaced secret until it expires", () =>
    Effect.gen(function* () {
      const { replaceSecret } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      const { id, organizationId } = endpoint
      yield* replaceSecret(organizationId, id, Buffer.from("new"), inAnHour)
      yield* writeEvents(organizationId, "organization.updated")
      const [both] = yield* takeFor("a", endpoint)
      assert.deepStrictEqual(both?.target.secrets.map(String), ["new", "sealed"])
      yield* replaceSecret(organizationId, id, Buffer.from("newer"), at)
      yield* writeEvents(organizationId, "organization.updated")
      const [next] = yield* takeFor("a", endpoint)
      assert.deepStrictEqual(next?.target.secrets.map(String), ["newer", "sealed"])
    })
  )

  it.effect("stores a successful attempt without a retry", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      yield* writeEvents(endpoint.organizationId, "api_key.created", "api_key.deleted")
      const taken = yield* takeFor("a", endpoint)
      yield* settle("a", succeeded(), ...taken)
      const [last, first] = yield* deliveriesOf(endpoint)
      assert.deepInclude(first, { status: "succeeded", eventType: "api_key.created" })
      assert.deepInclude(last, { status: "succeeded", eventType: "api_key.deleted" })
      assert.deepStrictEqual(first?.attempts, [{ attempt: 1, trigger: "scheduled", at, ...exchange }])
      assert.strictEqual(first?.requestBody, taken[0]?.body)
      assert.isEmpty(yield* queueOf(endpoint))
      assert.deepInclude(yield* healthOf(endpoint), {
        delivered: 2,
        failed: 0,
        pending: 0,
        averageLatencyMs: 40,
        lastSuccessAt: at
      })
    })
  )

  it.effect("stores a retry until it is due", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* WebhookQueue
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      yield* writeEvents(endpoint.organizationId, "api_key.created")
      yield* settle("a", failed(at, inAnHour), ...(yield* takeFor("a", endpoint)))
      const [retrying] = yield* deliveriesOf(endpoint)
      assert.strictEqual(retrying?.status, "retrying")
      assert.deepStrictEqual(retrying?.nextAttemptAt, inAnHour)
      yield* writeEvents(endpoint.organizationId, "api_key.deleted")
      assert.deepStrictEqual(yield* typesOf(endpoint, "retrying"), ["api_key.created"])
      assert.deepStrictEqual(yield* typesOf(endpoint, "pending"), ["api_key.deleted"])
      assert.deepInclude(yield* healthOf(endpoint), { pending: 1, retrying: 1, attempts: 1, failingSince: at })
      yield* settle("a", succeeded(before), ...(yield* takeFor("a", endpoint)))
      yield* queue.promote
      assert.isEmpty(yield* queueOf(endpoint))
      const woken = yield* Effect.fork(Stream.runHead(queue.woken))
      yield* sql`UPDATE webhook_waiting SET due_at = now() WHERE endpoint_id = ${endpoint.id}`
      assert.strictEqual(yield* queue.promote, 1)
      yield* woken
      const [again] = yield* takeFor("a", endpoint)
      assert.deepInclude(again, { attempt: 2, retriesUsed: 1 })
      yield* settle("a", failed(at, null), ...Array.fromNullable(again))
      const [, ended] = yield* deliveriesOf(endpoint)
      assert.strictEqual(ended?.status, "failed")
      assert.deepStrictEqual(
        ended?.attempts.map(({ attempt }) => attempt),
        [1, 2]
      )
      assert.deepInclude(yield* healthOf(endpoint), {
        delivered: 1,
        failed: 1,
        attempts: 3,
        attemptsSucceeded: 1,
        lastFailureAt: at,
        failingSince: at
      })
    })
  )

  it.effect("makes a released delivery ready without an attempt", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      yield* writeEvents(endpoint.organizationId, "api_key.created")
      const released: WebhookSettlement = {
        attempt: null,
        result: null,
        status: "pending",
        retriesUsed: 0,
        retryAt: yield* DateTime.now
      }
      yield* settle("a", released, ...(yield* takeFor("a", endpoint)))
      const [again] = yield* takeFor("b", endpoint)
      assert.deepInclude(again, { attempt: 1, retriesUsed: 0, leaseExpiries: 0, isRepeat: false })
      assert.isEmpty((yield* deliveriesOf(endpoint))[0]?.attempts ?? assert.fail("no delivery"))
    })
  )

  it.effect("stores no outcome of a lost worker, and counts the lost lease", () =>
    Effect.gen(function* () {
      const queue = yield* WebhookQueue
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      yield* writeEvents(endpoint.organizationId, "api_key.created")
      const lost = yield* take("lost", { lease: Duration.zero })
      const keys = lost.map(({ deliveryId: id, organizationId }) => ({ organizationId, id }))
      yield* queue.begin("lost", keys, Duration.zero)
      assert.isAtLeast(yield* queue.recover, 1)
      const [taken] = yield* takeFor("b", endpoint)
      assert.strictEqual(taken?.leaseExpiries, 1)
      yield* settle("lost", succeeded(), ...lost)
      assert.strictEqual((yield* deliveriesOf(endpoint))[0]?.status, "pending")
      yield* settle("b", succeeded(), ...Array.fromNullable(taken))
      assert.lengthOf((yield* deliveriesOf(endpoint))[0]?.attempts ?? [], 1)
    })
  )

  it.effect("disables an endpoint that responds 410: pending deliveries fail, and other endpoints get an event", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const gone = yield* makeEndpoint(organization, { events: ["api_key.*"] })
      const other = yield* makeEndpoint(organization, { events: ["webhook_endpoint.*"] })
      yield* writeEvents(organization, "api_key.created", "api_key.deleted")
      const [first] = yield* takeFor("a", gone)
      yield* settle("a", { ...failed(at, null), result: "gone" }, ...Array.fromNullable(first))
      assert.deepStrictEqual(
        (yield* deliveriesOf(gone)).map(({ status }) => status),
        ["failed", "failed"]
      )
      assert.isEmpty(yield* queueOf(gone))
      assert.deepStrictEqual(yield* queuedTypes(other), ["webhook_endpoint.disabled"])
      assert.deepInclude(yield* healthOf(gone), { status: "disabled", failed: 2 })
    })
  )

  it.effect("disables an endpoint whose attempts have all failed for five days, not earlier", () =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      const endpoint = yield* makeEndpoint(yield* makeOrganization(), { events: ["api_key.*"] })
      const attempt = (settlement: WebhookSettlement) =>
        Effect.gen(function* () {
          yield* writeEvents(endpoint.organizationId, "api_key.created")
          yield* settle("a", settlement, ...(yield* takeFor("a", endpoint)))
          return (yield* healthOf(endpoint)).status
        })
      const daysAgo = (days: number, minutes = 0) => DateTime.subtract(now, { days, minutes })
      assert.strictEqual(yield* attempt(failed(daysAgo(9), null)), "disabled")
      yield* Effect.flatMap(WebhookEndpointRepo, ({ update }) =>
        update(endpoint.organizationId, endpoint.id, (one) => ({ ...one, status: "active" }))
      )
      assert.strictEqual(yield* attempt(failed(daysAgo(4, 1_439), null)), "active")
      assert.strictEqual(yield* attempt(failed(daysAgo(1), null)), "active")
      assert.strictEqual(yield* attempt(succeeded(now)), "active")
      assert.strictEqual(yield* attempt(failed(daysAgo(5), null)), "disabled")
    })
  )

  it.effect("keeps a retry without a time for an endpoint that was paused during the attempt", () =>
    Effect.gen(function* () {
      const { update } = yield* WebhookEndpointRepo
      const endpoint = yield* makeEndpoint(yield* makeOrganization())
      yield* writeEvents(endpoint.organizationId, "api_key.created")
      const taken = yield* takeFor("a", endpoint)
      const become = (status: "active" | "paused") =>
        update(endpoint.organizationId, endpoint.id, (one) => ({ ...one, status }))
      yield* become("paused")
      yield* settle("a", failed(at, inAnHour), ...taken)
      const [retrying] = yield* deliveriesOf(endpoint)
      assert.strictEqual(retrying?.status, "retrying")
      assert.isUndefined(retrying?.nextAttemptAt)
      assert.isEmpty(yield* queueOf(endpoint))
      yield* become("active")
      assert.lengthOf(yield* takeFor("a", endpoint), 1)
    })
  )
})
