import { assert, layer } from "@effect/vitest"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { DateTime, Effect, Option } from "effect"
import { messageQueue } from "../queues/MessageQueue.js"
import { later } from "../queues/MonotonicTime.js"
import { makeOrganization, newMessage } from "./Fixtures.js"
import { accept, emptyQueue, entriesRead, multiply, OwnLive, settle, statuses, take } from "./QueueFixtures.js"

layer(OwnLive, { excludeTestServices: true })("Waiting and expired messages on PostgreSQL", (it) => {
  it.effect("makes a deferred message ready when it is due", () =>
    Effect.gen(function* () {
      const { own, queue, sql } = yield* emptyQueue
      const [message] = yield* accept(own, 1)
      const now = yield* DateTime.now
      const retryAt = DateTime.add(now, { hours: 1 })
      yield* settle(
        "w",
        yield* take("w"),
        DeliveryOutcome.Deferred({ code: "deferred", smtpCode: 451, response: "later", retryAt })
      )
      assert.strictEqual(yield* queue.promote, 0)
      assert.strictEqual((yield* messageQueue).waiting, 1)
      yield* sql`UPDATE message_waiting SET due_at = now()`
      assert.strictEqual(yield* queue.promote, 1)
      const [again] = yield* take("w")
      assert.strictEqual(again?.state.retryCount, 1)
      assert.deepStrictEqual(again?.dueSince, message?.createdAt)
      assert.deepStrictEqual(yield* statuses(own), ["pending processing queued"])
    })
  )

  it.effect("makes a scheduled message pending when it is due", () =>
    Effect.gen(function* () {
      const { own, queue, repo, sql } = yield* emptyQueue
      const now = yield* DateTime.now
      yield* repo.accept(yield* newMessage(own, { scheduledAt: DateTime.add(now, { hours: 1 }) }))
      assert.deepStrictEqual(yield* take("w"), [])
      yield* sql`UPDATE message_waiting SET due_at = now()`
      yield* queue.promote
      assert.deepStrictEqual(yield* statuses(own), ["scheduled pending"])
      assert.strictEqual((yield* take("w")).length, 1)
    })
  )

  it.effect("moves a scheduled message to another time, in its own organization only", () =>
    Effect.gen(function* () {
      const { own, queue, repo } = yield* emptyQueue
      const other = yield* makeOrganization()
      const now = yield* DateTime.now
      const { message } = yield* repo.accept(yield* newMessage(own, { scheduledAt: DateTime.add(now, { hours: 1 }) }))
      assert.isTrue(Option.isNone(yield* repo.reschedule(other, message.id, now)))
      assert.strictEqual(yield* queue.promote, 0)
      const moved = Option.getOrThrow(yield* repo.reschedule(own, message.id, now))
      assert.deepStrictEqual([moved.status, moved.scheduledAt], ["scheduled", now])
      assert.strictEqual(yield* queue.promote, 1)
      assert.deepStrictEqual((yield* take("w"))[0]?.dueSince, now)
    })
  )

  it.effect("does not move a message that is due", () =>
    Effect.gen(function* () {
      const { own, repo } = yield* emptyQueue
      const [message] = yield* accept(own, 1)
      const later = DateTime.add(yield* DateTime.now, { hours: 1 })
      const same = message === undefined ? Option.none() : yield* repo.reschedule(own, message.id, later)
      assert.deepStrictEqual(Option.getOrNull(same), message)
      assert.strictEqual((yield* take("w")).length, 1)
    })
  )

  it.effect("leases expired messages", () =>
    Effect.gen(function* () {
      const { own, sql } = yield* emptyQueue
      yield* accept(own, 2)
      assert.deepStrictEqual(yield* take("w", { expiredOnly: true }), [])
      yield* sql`UPDATE message_queue SET due_since = now() - interval '73 hours'`
      const late = yield* later("6 seconds")(take("w", { expiredOnly: true }))
      yield* settle("w", late, DeliveryOutcome.Expired())
      assert.deepStrictEqual(new Set(yield* statuses(own)), new Set(["pending processing failed"]))
    })
  )

  it.effect("leases a deferred message when it expires before its next attempt", () =>
    Effect.gen(function* () {
      const { own, queue, sql } = yield* emptyQueue
      yield* accept(own, 1)
      yield* sql`UPDATE message_queue SET due_since = now() - interval '71 hours'`
      const retryAt = DateTime.add(yield* DateTime.now, { hours: 8 })
      yield* settle(
        "w",
        yield* take("w"),
        DeliveryOutcome.Deferred({ code: "deferred", smtpCode: 451, response: "later", retryAt })
      )
      assert.strictEqual(yield* queue.promote, 0)
      // Shifts the times by an hour.
      yield* sql`UPDATE message_waiting SET due_at = due_at - interval '1 hour', due_since = due_since - interval '1 hour'`
      assert.strictEqual(yield* queue.promote, 1)
      const late = yield* take("w", { expiredOnly: true })
      yield* settle("w", late, DeliveryOutcome.Expired())
      assert.deepStrictEqual(yield* statuses(own), ["pending processing queued processing failed"])
    })
  )

  it.effect("leases expired messages, the oldest first, without reading other entries", () =>
    Effect.gen(function* () {
      const { own, sql } = yield* emptyQueue
      const fill = Effect.flatMap(accept(own, 3), (messages) =>
        Effect.as(
          Effect.forEach(messages.slice(2), ({ id }) => multiply(id, 4_000)),
          messages
        )
      )
      yield* fill
      // Statistics of an empty table with the same number of pages.
      yield* sql`DELETE FROM message_queue`
      yield* sql`ANALYZE message_queue`
      const [younger, older] = yield* fill
      yield* sql`UPDATE message_queue SET due_since = now() - interval '73 hours' WHERE message_id = ${younger?.id ?? ""}`
      yield* sql`UPDATE message_queue SET due_since = now() - interval '74 hours' WHERE message_id = ${older?.id ?? ""}`
      const read = yield* sql.withTransaction(
        Effect.gen(function* () {
          const before = yield* entriesRead
          const [first] = yield* later("1 minute")(take("w", { limit: 1, expiredOnly: true }))
          assert.strictEqual(first?.messageId, older?.id)
          const rest = yield* take("w", { limit: 10, expiredOnly: true })
          assert.deepStrictEqual(
            rest.map(({ messageId }) => messageId),
            younger === undefined ? [] : [younger.id]
          )
          return (yield* entriesRead) - before
        })
      )
      assert.isBelow(read, 20)
    })
  )
})
