import { assert, layer } from "@effect/vitest"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { DeliveryQueues } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { decodeMessage, MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { notifyOwner, queueTables } from "@switchboard/store/queues/QueueTables"
import { Array, type Context, DateTime, Effect, Layer, Queue, Stream } from "effect"
import { messageQueue } from "../queues/MessageQueue.js"
import { eventTypes } from "../StoredRows.js"
import { makeOrganization } from "./Fixtures.js"
import {
  accept,
  begin,
  delivered,
  emptyQueue,
  entriesRead,
  mailQueue,
  multiply,
  OwnLive,
  settle,
  statuses,
  storeProgress,
  take
} from "./QueueFixtures.js"

/** The stored states of an organization's messages, with the number of entries that are flagged as possible duplicates. */
const storedStates = (own: OrganizationId) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.map(repo.list(own, {}, { page: 1, limit: 100 }), ({ items }) =>
      items.map(decodeMessage).map(({ deliveryAttempts, statusHistory }) => ({
        history: statusHistory?.map(({ status }) => status),
        flagged: statusHistory?.filter(({ metadata }) => metadata?.possibleDuplicate === true).length,
        attempts: deliveryAttempts
      }))
    )
  )

layer(OwnLive, { excludeTestServices: true })("DeliveryQueue on PostgreSQL", (it) => {
  it.effect("leases each message to one worker, counts the attempt first, and settles it", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      yield* accept(own, 20)
      const [left, right] = yield* Effect.all([take("left", { limit: 10 }), take("right", { limit: 10 })], {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set([...left, ...right].map(({ messageId }) => messageId)).size, 20)
      assert.isTrue(left.every(({ state }) => state.status === "processing" && state.deliveryAttempts === 1))
      yield* settle("left", left, delivered)
      yield* settle("right", right, delivered)
      assert.deepStrictEqual(new Set(yield* statuses(own)), new Set(["pending processing sent delivered"]))
      const { leased, ready } = yield* messageQueue
      assert.deepStrictEqual({ leased, ready }, { leased: 0, ready: 0 })
    })
  )

  it.effect("stores outcomes without reading the states of other messages while there are few", () =>
    Effect.gen(function* () {
      const { own, sql } = yield* emptyQueue
      const [one = assert.fail("nothing was accepted")] = yield* accept(own, 1)
      yield* multiply(one.id, 2_000)
      yield* sql`ANALYZE message_states`
      const taken = yield* take("w", { limit: 20 })
      const statesRead = Effect.map(
        sql<{ states: number }>`SELECT seq_tup_read::int AS states FROM pg_stat_xact_user_tables
          WHERE relname = 'message_states'`,
        ([row]) => row?.states ?? 0
      )
      const read = yield* sql.withTransaction(
        Effect.gen(function* () {
          const before = yield* statesRead
          yield* settle("w", taken, delivered)
          return (yield* statesRead) - before
        })
      )
      assert.strictEqual(read, 0)
    })
  )

  it.effect("plans its statements once for all values", () =>
    // New connections: whether a connection keeps a plan depends on its earlier ones.
    Effect.gen(function* () {
      const { own, sql } = yield* emptyQueue
      const [one = assert.fail("nothing was accepted")] = yield* accept(own, 1)
      yield* multiply(one.id, 2_000)
      yield* sql`UPDATE message_queue SET worker = 'other', lease_until = now() + interval '1 hour'
        WHERE id IN (SELECT id FROM message_queue LIMIT 500)`
      // An automatic vacuum of the new rows during the rounds would change the costs that choose a plan.
      yield* sql`VACUUM (ANALYZE) message_queue`
      const plans = yield* sql.withTransaction(
        Effect.gen(function* () {
          for (let round = 0; round < 8; round++) {
            const taken = yield* take("w", { limit: 1 })
            yield* begin("w", taken)
            yield* settle("w", taken, delivered)
          }
          return yield* sql<{ name: string }>`SELECT substring(name FROM '^(.*)_[0-9a-f]{12}_') AS name
            FROM pg_prepared_statements WHERE name ~ '_(message|messages|states)_' AND generic_plans > 0 ORDER BY name`
        })
      )
      assert.includeMembers(
        plans.map(({ name }) => name),
        ["begin_message", "finish_message", "hold_message", "lease_message", "lock_states", "update_states"]
      )
    }).pipe(Effect.provide(Layer.fresh(OwnLive)))
  )

  it.effect("re-leases a lost worker's message, marks it in the history, and ignores the lost worker's outcome", () =>
    Effect.gen(function* () {
      const { own, queue, sql } = yield* emptyQueue
      yield* accept(own, 1)
      const lost = yield* take("lost")
      yield* begin("lost", lost)
      assert.deepStrictEqual(yield* take("next"), [])
      yield* sql`UPDATE message_queue SET lease_until = now()`
      assert.strictEqual(yield* queue.recover, 1)
      const [again = assert.fail("nothing was taken")] = yield* take("next")
      assert.strictEqual(again.leaseExpiries, 1)
      assert.deepStrictEqual(again.state.statusHistory.at(-1)?.metadata, { possibleDuplicate: true })
      yield* storeProgress("lost", lost)
      assert.deepStrictEqual(yield* statuses(own), ["pending processing"])
      yield* settle("lost", lost, DeliveryOutcome.Refused({ smtpCode: 554, response: "no" }))
      yield* settle("next", [again], delivered)
      const [found = assert.fail("nothing was found")] = yield* storedStates(own)
      assert.deepStrictEqual(found.history, ["pending", "processing", "sent", "delivered"])
      assert.strictEqual(found.flagged, 1)
      assert.strictEqual(found.attempts, 2)
    })
  )

  it.effect("stores once that a message is attempted, and the attempt of a lost worker whose progress is stored", () =>
    Effect.gen(function* () {
      const { own, queue, sql } = yield* emptyQueue
      yield* accept(own, 1)
      const lost = yield* take("lost")
      yield* begin("lost", lost)
      assert.deepStrictEqual(yield* statuses(own), ["pending"])
      yield* storeProgress("lost", lost)
      yield* storeProgress("lost", lost)
      assert.deepStrictEqual(yield* statuses(own), ["pending processing"])
      assert.strictEqual((yield* messageQueue).leased, 1)
      yield* sql`UPDATE message_queue SET lease_until = now()`
      yield* queue.recover
      const next = yield* take("next")
      yield* storeProgress("next", next)
      yield* settle("next", next, delivered)
      const [found = assert.fail("nothing was found")] = yield* storedStates(own)
      assert.deepStrictEqual(found.history, ["pending", "processing", "processing", "sent", "delivered"])
      assert.strictEqual(found.flagged, 1)
      assert.strictEqual(found.attempts, 2)
      assert.deepStrictEqual(
        yield* eventTypes(own),
        ["created", "processing", "processing", "sent", "delivered"].map((step) => `message.${step}`)
      )
    })
  )

  it.effect("stores each repeated attempt when it is leased, even if its worker is lost", () =>
    Effect.gen(function* () {
      const { own, queue, sql } = yield* emptyQueue
      yield* accept(own, 1)
      const lose = Effect.zipRight(sql`UPDATE message_queue SET lease_until = now()`, queue.recover)
      yield* begin("first", yield* take("first"))
      yield* lose
      yield* begin("second", yield* take("second"))
      assert.deepStrictEqual(yield* storedStates(own), [
        { history: ["pending", "processing"], flagged: 1, attempts: 2 }
      ])
      yield* lose
      // This lease is lost before its attempt begins.
      yield* take("third")
      yield* lose
      yield* settle("fourth", yield* take("fourth"), delivered)
      assert.deepStrictEqual(yield* storedStates(own), [
        { history: ["pending", "processing", "processing", "sent", "delivered"], flagged: 2, attempts: 3 }
      ])
    })
  )

  it.effect("recovers all expired leases in several batches", () =>
    Effect.gen(function* () {
      const { own, sql } = yield* emptyQueue
      const [message = assert.fail("nothing was accepted")] = yield* accept(own, 1)
      yield* multiply(message.id, 1499)
      yield* take("lost", { limit: 2000 })
      yield* sql`UPDATE message_queue SET lease_until = now()`
      assert.strictEqual(yield* Effect.flatMap(mailQueue, (queue) => queue.recover), 1500)
    })
  )

  it.effect("makes a released message ready without counting its attempt", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      yield* accept(own, 1)
      yield* settle("w", yield* take("w"), DeliveryOutcome.Released())
      const [again] = yield* take("other")
      assert.strictEqual(again?.state.deliveryAttempts, 1)
      assert.strictEqual(again?.leaseExpiries, 0)
    })
  )

  it.effect("changes nothing about a postponed message but its next attempt", () =>
    Effect.gen(function* () {
      const { own, repo } = yield* emptyQueue
      const [message = assert.fail("nothing was accepted")] = yield* accept(own, 1)
      const before = yield* repo.find(own, message.id)
      const taken = yield* take("w")
      yield* Effect.flatMap(mailQueue, (queue) =>
        queue.settle(
          "w",
          taken.map((one) => ({ message: one, decide: () => ({ state: null, retryAt: DateTime.unsafeMake(0) }) }))
        )
      )
      assert.deepStrictEqual(yield* repo.find(own, message.id), before)
      const [again] = yield* take("other")
      assert.deepStrictEqual([again?.messageId, again?.state.deliveryAttempts], [message.id, 1])
    })
  )

  it.effect("does not restore a message that was deleted during its lease", () =>
    Effect.gen(function* () {
      const { own, repo } = yield* emptyQueue
      const [message] = yield* accept(own, 1)
      const taken = yield* take("w")
      if (message !== undefined) yield* repo.remove(own, message.id)
      yield* settle("w", taken, delivered)
      assert.deepStrictEqual(yield* statuses(own), [])
      assert.deepStrictEqual(yield* take("w"), [])
    })
  )

  it.effect("removes an entry without a message, and leases the others", () =>
    Effect.gen(function* () {
      const { own, sql } = yield* emptyQueue
      const [gone, kept] = yield* accept(own, 2)
      yield* sql`DELETE FROM messages WHERE id = ${gone?.id ?? ""}`
      assert.deepStrictEqual(
        (yield* take("w")).map(({ messageId }) => messageId),
        kept === undefined ? [] : [kept.id]
      )
      assert.strictEqual((yield* messageQueue).leased, 1)
    })
  )

  it.effect("notifies workers of ready messages, also after a lost connection", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { own, queue, sql } = yield* emptyQueue
        const notifications = yield* Queue.unbounded<void>()
        yield* Effect.forkScoped(Stream.runForEach(queue.woken, () => Queue.offer(notifications, undefined)))
        // One notification each for the connection, the accepted message, and the reconnection.
        yield* Queue.take(notifications)
        yield* accept(own, 1)
        yield* Queue.take(notifications)
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE query ILIKE 'listen%' AND datname = current_database()`
        yield* Queue.take(notifications)
      })
    )
  )

  it.scoped("names the organization of new messages in its notification if all have the same one", () =>
    Effect.gen(function* () {
      const { queue, sql } = yield* emptyQueue
      const [one, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const seen: Array<string | null> = []
      yield* Effect.forkScoped(Stream.runForEach(queue.woken, (owner) => Effect.sync(() => seen.push(owner))))
      // The subscription and the connection wake workers too, the latter also after the first notification.
      yield* Effect.repeat(Effect.zipRight(accept(one, 1), Effect.yieldNow()), {
        until: () => seen.includes(one) && seen.filter((owner) => owner === null).length === 2
      })
      seen.length = 0
      const notified = (organizations: ReadonlyArray<string>) =>
        sql`WITH entries AS (SELECT unnest(${organizations}::uuid[]) AS organization_id)
          SELECT ${sql.literal(notifyOwner(queueTables.message, "entries"))}`
      yield* notified([one, other, one])
      yield* notified([])
      yield* notified([other, other])
      yield* Effect.repeat(sql`SELECT`, { until: () => seen.includes(other) })
      assert.deepStrictEqual(
        seen.filter((owner) => owner !== one),
        [null, other]
      )
    })
  )

  it.effect("never scans the queue once per organization, even with stale statistics", () =>
    Effect.gen(function* () {
      const { sql } = yield* emptyQueue
      const [noisy, ...others] = yield* Effect.forEach(Array.range(1, 21), () => makeOrganization())
      const fill = Effect.gen(function* () {
        yield* Effect.forEach(others, (own) => accept(own, 1))
        const first = noisy === undefined ? [] : yield* accept(noisy, 1)
        yield* Effect.forEach(first, ({ id }) => multiply(id, 1_500))
      })
      yield* fill
      // Statistics of an empty table with the same number of pages.
      yield* sql`DELETE FROM message_queue`
      yield* sql`ANALYZE message_queue`
      yield* fill
      const read = yield* sql.withTransaction(
        Effect.gen(function* () {
          const before = yield* entriesRead
          const taken = yield* take("w", { limit: 40 })
          assert.strictEqual(taken.length, 40)
          assert.strictEqual(new Set(taken.map(({ organizationId }) => organizationId)).size, 21)
          yield* settle("w", taken, delivered)
          return (yield* entriesRead) - before
        })
      )
      // With the statistics of an empty table each statement may scan all entries in each of its parts, but not once for
      // each of the 21 organizations.
      assert.isBelow(read, 10 * 1_521)
    })
  )

  it.effect("locks only the entries that it leases", () =>
    Effect.gen(function* () {
      const { sql } = yield* emptyQueue
      const owners = yield* Effect.replicateEffect(makeOrganization(), 5)
      yield* Effect.forEach(owners, (own) => accept(own, 20))
      const outside = yield* Effect.context<DeliveryQueues>()
      const [own, others] = yield* sql.withTransaction(
        Effect.all([
          take("w", { limit: 20 }),
          take("other").pipe(Effect.mapInputContext((_: Context.Context<never>) => outside))
        ])
      )
      assert.strictEqual(own.length, 20)
      assert.strictEqual(others.length, 80)
    })
  )
})
