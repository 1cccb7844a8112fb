import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { DeliveryOutcome, type RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { nextAttemptAt, settled } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { BlockRepo } from "@switchboard/services/email/blocks/BlockRepo"
import type { TakenMessage } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Array, DateTime, Effect, Option, Queue, Stream } from "effect"
import { makeOrganization, newMessage } from "../../messages/Fixtures.js"
import { emptyQueue, mailQueue, take } from "../../messages/QueueFixtures.js"
import { messageQueue } from "../../queues/MessageQueue.js"
import { eventTypes, storedEvents } from "../../StoredRows.js"
import { StoreLive } from "../../StoreLive.js"
import { addBlock, blockLog, blocksOf, complain, everything } from "./Fixtures.js"

const accept = (own: OrganizationId, ...to: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const { message } = yield* repo.accept(yield* newMessage(own, { to }))
    return message.id
  })

/** Settles messages with the relay's replies. */
const settleReplies = (
  taken: ReadonlyArray<TakenMessage>,
  verdict: (recipient: string) => Pick<RecipientReply, "verdict" | "response">
) =>
  Effect.gen(function* () {
    const queue = yield* mailQueue
    const now = yield* DateTime.now
    yield* queue.settle(
      "worker",
      taken.map((message) => {
        const outcome = DeliveryOutcome.Replied({
          replies: message.state.deliveries.map(({ recipient }) => ({ recipient, ...verdict(recipient) })),
          response: "250 ok",
          providerMessageId: null,
          retryAt: now
        })
        return {
          message,
          decide: (state) => {
            const after = settled(state, outcome, "accept", now)
            return { state: after, retryAt: nextAttemptAt(after, outcome, now) }
          }
        }
      })
    )
  })

const accepted = { verdict: "accepted", response: "250 ok" } as const
const later = { verdict: "deferred", response: "451 4.7.1 later" } as const
const unknownUser = { verdict: "refused", response: "550 5.1.1 no such user" } as const

const progress = (own: OrganizationId, id: MessageId) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.map(repo.find(own, id), (found) => {
      const message = Option.getOrThrow(found)
      return {
        history: message.statusHistory?.map(({ status }) => status).join(" "),
        deliveries: message.emailMetadata?.deliveries.map(({ status }) => status).join(" "),
        error: message.errorDetails
      }
    })
  )

layer(StoreLive, { excludeTestServices: true })("Leased messages", (it) => {
  it.effect("exclude recipients that were blocked after acceptance, and count and log them", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      const id = yield* accept(own, "Ada@example.com", "bob@example.com", "cyd@example.org", "eve@sub.example.org")
      const { block: ada } = yield* addBlock(own, "ada@example.com")
      const { block: org } = yield* addBlock(own, "example.org")
      const [taken] = yield* take("worker")
      assert.deepStrictEqual(
        taken?.state.deliveries.map(({ recipient, status }) => `${recipient} ${status}`),
        [
          "Ada@example.com suppressed",
          "bob@example.com pending",
          "cyd@example.org suppressed",
          "eve@sub.example.org pending"
        ]
      )
      const hits = (yield* blocksOf(own)).map(({ hitCount, id: entry, lastHitAt }) => [
        entry,
        hitCount,
        lastHitAt !== undefined
      ])
      assert.deepStrictEqual(hits, [
        [org.id, 1, true],
        [ada.id, 1, true]
      ])
      assert.deepStrictEqual((yield* blockLog(own)).slice(2), [
        { action: "blocked", email: "Ada@example.com", messageId: id },
        { action: "blocked", email: "cyd@example.org", messageId: id }
      ])
      yield* settleReplies(taken === undefined ? [] : [taken], () => accepted)
      assert.deepInclude(yield* progress(own, id), {
        history: "pending processing sent delivered",
        deliveries: "suppressed delivered suppressed delivered"
      })
    })
  )

  it.effect("exclude recipients with a block on a category of the message only", () =>
    Effect.gen(function* () {
      const { own, repo } = yield* emptyQueue
      const accepted = yield* Effect.forEach(
        [[], ["marketing"], ["transactional"], ["receipts", "offers"], ["Marketing"]],
        (categories) =>
          Effect.gen(function* () {
            const made = yield* newMessage(own, { to: ["ada@example.com", "bob@shop.example"] })
            const { message } = yield* repo.accept({ ...made, facts: { ...made.facts, categories } })
            return [categories.join(), message.id] as const
          })
      )
      yield* addBlock(own, "ada@example.com", { category: "marketing" })
      yield* addBlock(own, "ada@example.com", { category: "offers" })
      yield* addBlock(own, "shop.example", { category: "receipts" })
      const taken = yield* take("worker")
      const statuses = (id: MessageId) =>
        taken.find(({ messageId }) => messageId === id)?.state.deliveries.map(({ status }) => status) ?? []
      assert.deepStrictEqual(
        accepted.map(([categories, id]) => `${categories}: ${statuses(id).join(" ")}`),
        [
          ": pending pending",
          "marketing: suppressed pending",
          "transactional: pending pending",
          "receipts,offers: ",
          "Marketing: pending pending"
        ]
      )
      for (const [categories, id] of accepted) {
        if (categories !== "receipts,offers") continue
        const { history, deliveries } = yield* progress(own, id)
        assert.deepStrictEqual([history, deliveries], ["pending failed", "suppressed suppressed"])
      }
      assert.deepStrictEqual(
        (yield* blocksOf(own)).map(({ category, hitCount }) => `${category} ${hitCount}`),
        ["receipts 1", "offers 1", "marketing 1"]
      )
      const logs = yield* Effect.flatMap(BlockRepo, (blocks) => blocks.logs(own, everything))
      assert.sameMembers(
        logs.items.flatMap(({ action, category, email }) => (action === "blocked" ? [`${email} ${category}`] : [])),
        ["ada@example.com marketing", "ada@example.com offers", "bob@shop.example receipts"]
      )
    })
  )

  it.effect("fail without an attempt and leave the queue if all recipients are blocked", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      const other = yield* makeOrganization()
      const blocked = yield* accept(own, "ada@example.com", "bob@example.com")
      const free = yield* accept(other, "ada@example.com")
      const { block: entry } = yield* addBlock(own, "example.com")
      const taken = yield* take("worker")
      assert.deepStrictEqual(
        taken.map(({ messageId }) => messageId),
        [free]
      )
      assert.deepStrictEqual(yield* progress(own, blocked), {
        history: "pending failed",
        deliveries: "suppressed suppressed",
        error: {
          code: "recipient_blocked",
          message: "Every recipient that was left is blocked",
          details: { blockId: entry.id, reason: "manual" },
          retryable: false
        }
      })
      assert.deepStrictEqual(yield* messageQueue, { ready: 0, leased: 1, waiting: 0 })
      assert.strictEqual((yield* blocksOf(own))[0]?.hitCount, 2)
      assert.deepStrictEqual(yield* eventTypes(own, "message."), ["message.created", "message.failed"])
    })
  )

  it.effect("notify workers when a lease found only blocked messages", () =>
    Effect.gen(function* () {
      const { own, queue } = yield* emptyQueue
      yield* addBlock(own, "example.com")
      yield* accept(own, "ada@example.com")
      const woken = yield* Queue.unbounded<void>()
      yield* Effect.forkScoped(Stream.runForEach(queue.woken, () => Queue.offer(woken, undefined)))
      // Subscribed from the first notification.
      yield* Effect.repeat(accept(own, "ada@example.com"), {
        until: () => Effect.map(Queue.size(woken), (size) => size > 0)
      })
      yield* Effect.repeat(Queue.takeAll(woken), { until: ({ length }) => length === 0 })
      assert.deepStrictEqual(yield* take("worker"), [])
      yield* Queue.take(woken)
    }).pipe(Effect.scoped)
  )

  it.effect("include recipients with an expired block", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      yield* accept(own, "ada@example.com")
      yield* addBlock(own, "ada@example.com", { expiresAt: DateTime.subtract(yield* DateTime.now, { seconds: 1 }) })
      const taken = yield* take("worker")
      assert.strictEqual(taken[0]?.state.deliveries[0]?.status, "pending")
      assert.strictEqual((yield* blocksOf(own))[0]?.hitCount, 0)
    })
  )

  it.effect("fail when the recipients of a retry are blocked, and keep delivered recipients", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      const undelivered = yield* accept(own, "ada@example.com")
      const partlyDelivered = yield* accept(own, "ada@example.com", "bob@example.com")
      yield* settleReplies(yield* take("worker"), (recipient) => (recipient.startsWith("bob") ? accepted : later))
      yield* addBlock(own, "example.com")
      assert.deepStrictEqual(yield* take("worker"), [])
      assert.deepInclude(yield* progress(own, undelivered), {
        history: "pending processing queued failed",
        deliveries: "suppressed"
      })
      const { error, ...partial } = yield* progress(own, partlyDelivered)
      assert.deepStrictEqual(partial, {
        history: "pending processing sent delivered",
        deliveries: "suppressed delivered"
      })
      assert.strictEqual(error?.code, "recipient_blocked")
      assert.strictEqual((yield* blocksOf(own))[0]?.hitCount, 2)
      assert.deepStrictEqual(yield* messageQueue, { ready: 0, leased: 0, waiting: 0 })
    })
  )

  it.effect("expire when they are too old, even with blocked recipients", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      yield* accept(own, "ada@example.com")
      yield* addBlock(own, "ada@example.com")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE message_queue SET due_since = now() - interval '73 hours'`
      assert.strictEqual((yield* take("worker", { expiredOnly: true })).length, 1)
      assert.strictEqual((yield* blocksOf(own))[0]?.hitCount, 0)
    })
  )

  it.effect("count every hit of concurrent workers", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
      yield* addBlock(own, "example.com")
      yield* addBlock(own, "example.org")
      yield* Effect.forEach(Array.range(1, 40), (one) => accept(own, `a${one}@example.com`, `b${one}@example.org`), {
        concurrency: "unbounded"
      })
      yield* Effect.forEach(Array.range(1, 8), () => take("worker", { limit: 5 }), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        (yield* blocksOf(own)).map(({ hitCount }) => hitCount),
        [40, 40]
      )
      assert.strictEqual((yield* blockLog(own)).filter(({ action }) => action === "blocked").length, 80)
    })
  )
})

layer(StoreLive, { excludeTestServices: true })("A hard bounce", (it) => {
  it.effect("blocks the address with one event, and a second send fails without an attempt", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const first = yield* accept(own, "Ada@example.com", "bob@example.com")
      const twin = yield* accept(own, "ada@example.com")
      yield* settleReplies(yield* take("worker"), (recipient) => (recipient.startsWith("bob") ? accepted : unknownUser))
      const [entry, ...others] = yield* blocksOf(own)
      assert.deepStrictEqual(
        [entry?.type, entry?.value, entry?.reason, entry?.source, entry?.sourceMessageId, others.length],
        ["email", "ada@example.com", "hard_bounce", "system", first, 0]
      )
      assert.deepStrictEqual(yield* blockLog(own), [{ action: "added", email: "ada@example.com", messageId: first }])
      const events = yield* storedEvents(own, "email_block.created")
      assert.strictEqual(events.length, 1)
      assert.deepInclude(events[0]?.data, { id: entry?.id, value: "ada@example.com", sourceMessageId: first })
      assert.deepInclude(yield* progress(own, twin), { history: "pending processing bounced" })
      const second = yield* accept(own, "ada@example.com")
      assert.deepStrictEqual(yield* take("worker"), [])
      assert.deepInclude(yield* progress(own, second), { history: "pending failed", deliveries: "suppressed" })
    })
  )

  it.effect("blocks the address for each organization, and not for other refusals", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      yield* accept(own, "ada@example.com", "full@example.com")
      yield* accept(other, "ada@example.com")
      yield* settleReplies(yield* take("worker"), (recipient) =>
        recipient.startsWith("ada") ? unknownUser : { verdict: "refused", response: "552 5.2.2 mailbox full" }
      )
      for (const organization of [own, other]) {
        assert.deepStrictEqual(
          (yield* blocksOf(organization)).map(({ value }) => value),
          ["ada@example.com"]
        )
      }
    })
  )

  it.effect("strengthens a manual block, and does not change a complaint", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const messageId = yield* accept(own, "ada@example.com", "bob@example.com")
      const taken = yield* take("worker")
      yield* addBlock(own, "ada@example.com", { expiresAt: DateTime.add(yield* DateTime.now, { hours: 1 }) })
      yield* complain(own, "bob@example.com", messageId)
      yield* settleReplies(taken, () => unknownUser)
      assert.deepStrictEqual(
        (yield* blocksOf(own)).map(({ expiresAt, reason, value }) => [value, reason, expiresAt]),
        [
          ["bob@example.com", "complaint", undefined],
          ["ada@example.com", "hard_bounce", undefined]
        ]
      )
    })
  )
})
