import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ReceivedText } from "@switchboard/services/providers/ProviderEvent"
import { ProviderEventQueue } from "@switchboard/services/providers/ProviderEventQueue"
import { ProviderEvents } from "@switchboard/services/providers/ProviderEvents"
import { noOrganization } from "@switchboard/store/providers/ProviderEventsSql"
import { Array, DateTime, Duration, Effect, Metric } from "effect"
import { v7 } from "uuid"
import { options } from "../email/receiving/Fixtures.js"
import { StoreLive } from "../StoreLive.js"
import { leftOver, makeNumber, makeOwner, newPhone, partsOf, receiptOf, receive, textFrom } from "./Fixtures.js"

const take = (worker: string, limit = 100) =>
  Effect.flatMap(ProviderEventQueue, (queue) =>
    queue.take({ worker, lease: Duration.minutes(1), limit, perOwner: limit, skipped: [], except: [] })
  )

const unowned = Metric.counter("switchboard_received_texts_unowned_total", {
  description: "Received texts to a number that no organization has",
  incremental: true
})

layer(StoreLive, options)("ProviderEvents on PostgreSQL", (it) => {
  it.effect("queues an event as it was received, for the organization of the number", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const text = textFrom(newPhone(), number, { text: "Hi \u{1F600} \ud83d\u0000'\"" })
      const receipt = receiptOf(MessageId.make(v7()), newPhone(), "failed")
      yield* receive(text, receipt)
      const events = yield* take("a")
      assert.sameDeepMembers(
        events.map(({ event, leaseExpiries, organizationId }) => ({ event, leaseExpiries, organizationId })),
        [
          { event: text, leaseExpiries: 0, organizationId: organization },
          { event: receipt, leaseExpiries: 0, organizationId: OrganizationId.make(noOrganization) }
        ]
      )
      assert.isEmpty(yield* take("b"))
    })
  )

  it.effect("counts a text to a number without an organization, and does not store it", () =>
    Effect.gen(function* () {
      const { organization } = yield* makeOwner
      const forVoice = yield* makeNumber(organization, ["voice"])
      const { count } = yield* Metric.value(unowned)
      yield* receive(textFrom(newPhone(), newPhone()), textFrom(newPhone(), forVoice))
      assert.strictEqual((yield* Metric.value(unowned)).count, count + 2)
      assert.deepStrictEqual(yield* leftOver, { events: 0, ready: 0, waiting: 0 })
    })
  )

  it.effect("stores a text with the provider's id once", () =>
    Effect.gen(function* () {
      const { number } = yield* makeOwner
      const text = textFrom(newPhone(), number, { providerMessageId: v7() })
      const other = yield* makeNumber((yield* makeOwner).organization)
      const same = (to: string): ReceivedText => ({ ...text, to })
      yield* Effect.flatMap(ProviderEvents, (port) =>
        Effect.forEach([text, same(other), text, text], port.receive, { concurrency: "unbounded" })
      )
      yield* receive(text)
      const events = yield* take("a")
      assert.sameMembers(
        events.map(({ event }) => (event._tag === "ReceivedText" ? event.to : "")),
        [number, other]
      )
      const queue = yield* ProviderEventQueue
      yield* queue.settle(
        "a",
        events.map((event) => ({ event, processed: { _tag: "Done" } }))
      )
      assert.deepStrictEqual(yield* leftOver, { events: 0, ready: 0, waiting: 0 })
      yield* receive(text, same(other))
      assert.deepStrictEqual(yield* leftOver, { events: 0, ready: 0, waiting: 0 })
    })
  )

  it.effect("stores a part once in five minutes, and texts without an id each time", () =>
    Effect.gen(function* () {
      const { number } = yield* makeOwner
      const sql = yield* SqlClient.SqlClient
      const phone = newPhone()
      const [one, two] = partsOf(phone, number, ["one", "two"])
      if (one === undefined || two === undefined) return
      const hi = textFrom(phone, number)
      yield* receive(one, two, one, { ...one, text: "uno" }, hi, hi)
      assert.strictEqual((yield* leftOver).events, 5)
      yield* sql`UPDATE provider_messages SET created_at = now() - interval '6 minutes'`
      yield* receive(one)
      assert.strictEqual((yield* leftOver).events, 6)
    })
  )

  it.effect("stores 8,000 events at once", () =>
    Effect.gen(function* () {
      const { number } = yield* makeOwner
      const sql = yield* SqlClient.SqlClient
      const port = yield* ProviderEvents
      const message = MessageId.make(v7())
      const before = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM provider_messages`
      const events = Array.makeBy(8_000, (at) =>
        at % 4 === 0
          ? textFrom("+4930000001", number, { providerMessageId: `${message} ${at % 400}` })
          : receiptOf(message, "+4930000001", "delivered", at)
      )
      yield* Effect.forEach(events, port.receive, { concurrency: "unbounded", discard: true })
      // 100 texts arrived 20 times each.
      assert.deepStrictEqual(yield* leftOver, { events: 6_100, ready: 6_100, waiting: 0 })
      const after = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM provider_messages`
      assert.strictEqual((after[0]?.count ?? 0) - (before[0]?.count ?? 0), 100)
    })
  )

  it.effect("deletes done events, makes others wait, and ignores a worker that lost its lease", () =>
    Effect.gen(function* () {
      yield* makeOwner
      const sql = yield* SqlClient.SqlClient
      const queue = yield* ProviderEventQueue
      const message = MessageId.make(v7())
      yield* receive(...Array.makeBy(3, (at) => receiptOf(message, "+4930000001", "delivered", at)))
      const [one, two, three] = yield* take("a")
      if (one === undefined || two === undefined || three === undefined) return assert.fail("nothing was taken")
      const at = DateTime.addDuration(yield* DateTime.now, "1 hour")
      yield* queue.settle("a", [
        { event: one, processed: { _tag: "Done" } },
        { event: two, processed: { _tag: "Later", at } }
      ])
      yield* queue.settle("b", [{ event: three, processed: { _tag: "Done" } }])
      assert.deepStrictEqual(yield* leftOver, { events: 2, ready: 1, waiting: 1 })
      yield* sql`DELETE FROM provider_events`
      yield* sql`UPDATE provider_event_queue SET lease_until = NULL`
      assert.isEmpty(yield* take("b"))
      assert.deepStrictEqual(yield* leftOver, { events: 0, ready: 0, waiting: 1 })
    })
  )
})
