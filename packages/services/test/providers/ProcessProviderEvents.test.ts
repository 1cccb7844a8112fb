import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ProcessProviderEvents } from "@switchboard/services/providers/ProcessProviderEvents"
import { ProcessEvents, ProviderEventQueue, type TakenEvent } from "@switchboard/services/providers/ProviderEventQueue"
import { ProviderEvents } from "@switchboard/services/providers/ProviderEvents"
import { OptOuts } from "@switchboard/services/sms/OptOuts"
import { MediaUnavailable, WhatsAppMedia } from "@switchboard/services/whatsapp/WhatsAppMedia"
import { newMessage } from "@switchboard/store/testing/messages/Fixtures"
import {
  leftOver,
  makeNumber,
  makeOwner,
  newPhone,
  partsOf,
  receiptOf,
  receive,
  receivedBy,
  sendText,
  settleText,
  statusesOf,
  textFrom
} from "@switchboard/store/testing/providers/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Array, DateTime, Duration, Effect, Layer, Order } from "effect"
import { objectsInMemory } from "../objects/ObjectsInMemory.js"

/** The downloads of a test: failures, then the file. */
const downloads: Array<MediaUnavailable> = []
const objects = new Map<string, Uint8Array>()
const octets = Buffer.from("picture")

const Media = Layer.succeed(WhatsAppMedia, {
  download: () => Effect.suspend(() => downloads.shift() ?? Effect.succeed(octets))
})

const Live = ProcessProviderEvents.pipe(
  Layer.provide(Layer.merge(Media, objectsInMemory(objects))),
  Layer.provideMerge(OptOuts.Default),
  Layer.provideMerge(StoreLive)
)

const take = (worker: string) =>
  Effect.flatMap(ProviderEventQueue, (queue) =>
    queue.take({ worker, lease: Duration.minutes(1), limit: 100, perOwner: 100, skipped: [], except: [] })
  )

/** Processes leased events and stores the outcomes. */
const work = (worker: string, events: ReadonlyArray<TakenEvent>) =>
  Effect.gen(function* () {
    const queue = yield* ProviderEventQueue
    const { process } = yield* ProcessEvents
    const settled = yield* Effect.forEach(
      events,
      (event) => Effect.map(process(event), (processed) => ({ event, processed })),
      { concurrency: 40 }
    )
    yield* queue.settle(worker, settled)
    return settled.map(({ processed }) => processed)
  })

/** Processes all ready events. */
const workAll = Effect.gen(function* () {
  for (let events = yield* take("a"); events.length > 0; events = yield* take("a")) yield* work("a", events)
})

/** Processes all ready and waiting events, as if the time had passed. */
const workAfter = (passed: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const queue = yield* ProviderEventQueue
    yield* sql`UPDATE provider_events SET received_at = received_at - ${passed}::interval`
    yield* sql`UPDATE provider_event_waiting SET due_at = greatest(now(), due_at - ${passed}::interval)`
    yield* queue.promote
    yield* workAll
  })

const nothing = { events: 0, ready: 0, waiting: 0 }

const errorOf = (id: MessageId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT error_details FROM message_states WHERE message_id = ${id}`
  ).pipe(Effect.map(([row]) => row?.error_details))

layer(Live, { excludeTestServices: true })("A receipt", (it) => {
  it.effect("delivers a text when all its segments are delivered, in any order and repeated", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const [ada, bob] = [newPhone(), newPhone()]
      const id = yield* sendText(organization, { from: number, to: [ada, bob], segments: 3 })
      yield* receive(
        receiptOf(id, ada, "delivered", 3),
        receiptOf(id, ada, "sent", 1),
        receiptOf(id, ada, "delivered", 1)
      )
      yield* workAll
      assert.strictEqual(yield* statusesOf(organization, id), "sent sent sent")
      yield* receive(receiptOf(id, ada, "delivered", 3), receiptOf(id, ada, "delivered", 2))
      yield* workAll
      assert.strictEqual(yield* statusesOf(organization, id), "delivered delivered sent")
      yield* receive(...[1, 2, 3].map((segment) => receiptOf(id, bob, "delivered", segment)))
      yield* workAll
      assert.strictEqual(yield* statusesOf(organization, id), "delivered delivered delivered")
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("fails a text when one of three segments failed, and a later receipt changes nothing", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const ada = newPhone()
      const id = yield* sendText(organization, { from: number, to: [ada], segments: 3 })
      yield* receive(receiptOf(id, ada, "delivered", 1), receiptOf(id, ada, "failed", 2))
      yield* workAll
      assert.strictEqual(yield* statusesOf(organization, id), "failed failed")
      const error = yield* errorOf(id)
      assert.deepStrictEqual(error, {
        code: "delivery_failed",
        message: "The provider could not deliver the message: UNDELIV 005",
        details: { recipient: ada, errorCode: "UNDELIV 005", reason: "unknown" },
        retryable: false
      })
      yield* receive(
        receiptOf(id, ada, "delivered", 2),
        receiptOf(id, ada, "delivered", 3),
        receiptOf(id, ada, "failed", 2)
      )
      yield* workAll
      assert.strictEqual(yield* statusesOf(organization, id), "failed failed")
      assert.deepStrictEqual(yield* errorOf(id), error)
    })
  )

  it.effect("waits for the outcome of the send", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const ada = newPhone()
      const id = yield* sendText(organization, { from: number, to: [ada], isSettled: false })
      yield* receive(receiptOf(id, ada))
      const started = yield* DateTime.now
      const [processed] = yield* work("a", yield* take("a"))
      if (processed?._tag !== "Later") return assert.fail("it was not postponed")
      assert.isAtLeast(DateTime.distance(started, processed.at), 1_000)
      assert.isAtMost(DateTime.distance(started, processed.at), 30_000)
      assert.strictEqual(yield* statusesOf(organization, id), "pending pending")
      yield* settleText(organization, id, [ada])
      yield* workAfter("1 minute")
      assert.strictEqual(yield* statusesOf(organization, id), "delivered delivered")
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("goes to the message of its phone if another one has its id in another form", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { number, organization } = yield* makeOwner
      const [ada, bob] = [newPhone(), newPhone()]
      const rename = (message: MessageId, id: string) =>
        sql`UPDATE provider_messages SET provider_message_id = ${id} WHERE message_id = ${message}`
      const [decimal, hexadecimal] = [`22 ${ada}`, `16 ${ada}`]
      const older = yield* sendText(organization, { from: number, to: [ada] })
      yield* rename(older, hexadecimal)
      const newer = yield* sendText(organization, { from: number, to: [bob], isSettled: false })
      const early = { ...receiptOf(newer, bob), providerMessageIds: [decimal, hexadecimal] as const }
      yield* receive(early)
      yield* workAll
      assert.strictEqual(yield* statusesOf(organization, older), "sent sent")
      yield* settleText(organization, newer, [bob])
      yield* rename(newer, decimal)
      yield* workAfter("1 minute")
      assert.strictEqual(yield* statusesOf(organization, newer), "delivered delivered")
      assert.strictEqual(yield* statusesOf(organization, older), "sent sent")
      yield* receive({ ...early, phone: ada.slice(3) })
      yield* workAll
      yield* workAfter("1 minute")
      assert.strictEqual(yield* statusesOf(organization, older), "delivered delivered")
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("is dropped ten minutes after it arrived if its message is unknown", () =>
    Effect.gen(function* () {
      const { organization } = yield* makeOwner
      const { facts } = yield* newMessage(organization)
      yield* receive(receiptOf(facts.id, newPhone()))
      yield* workAll
      yield* workAfter("9 minutes")
      assert.deepStrictEqual(yield* leftOver, { events: 1, ready: 0, waiting: 1 })
      yield* workAfter("1 minute")
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("is applied once of many at once, by two workers", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const texts = yield* Effect.forEach([...Array.makeBy(20, newPhone)], (phone) =>
        Effect.map(sendText(organization, { from: number, to: [phone], segments: 10 }), (id) => ({ id, phone }))
      )
      const isFailed = (place: number) => place % 4 === 0
      const receipts = texts.flatMap(({ id, phone }, place) =>
        Array.makeBy(100, (at) => receiptOf(id, phone, isFailed(place) ? "failed" : "delivered", (at % 10) + 1))
      )
      const port = yield* ProviderEvents
      yield* Effect.forEach(receipts, port.receive, { concurrency: "unbounded", discard: true })
      const worker = (name: string) =>
        Effect.gen(function* () {
          let processed = 0
          for (let events = yield* take(name); events.length > 0; events = yield* take(name)) {
            processed += (yield* work(name, events)).length
          }
          return processed
        })
      const counts = yield* Effect.all([worker("a"), worker("b")], { concurrency: "unbounded" })
      assert.strictEqual(counts[0] + counts[1], 2_000)
      assert.deepStrictEqual(
        yield* Effect.forEach(texts, ({ id }) => statusesOf(organization, id)),
        texts.map((_, place) => (isFailed(place) ? "failed failed" : "delivered delivered"))
      )
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT type, count(*)::int AS count FROM events WHERE organization_id = ${organization}
            AND type IN ('message.delivered', 'message.failed') GROUP BY type ORDER BY type`,
        [
          { type: "message.delivered", count: 15 },
          { type: "message.failed", count: 5 }
        ]
      )
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )
})

/** A WhatsApp message with a file. */
const imageFrom = (from: string, to: string) =>
  textFrom(from, to, {
    channel: "whatsapp",
    text: "",
    whatsapp: {
      content: { media: { kind: "image", contentType: "image/png", mediaId: "1" } },
      name: null,
      answers: null,
      entryPoint: null
    }
  })

const mediaOf = (organization: OrganizationId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT content #> '{media,size}' AS size, content #>> '{media,downloadError}' AS error,
        attachment_count AS files, (SELECT object_key FROM inbound_attachments AS a
          WHERE a.organization_id = m.organization_id AND a.message_id = m.id) AS key
      FROM messages AS m WHERE organization_id = ${organization}`
  )

const failed = (isFinal: boolean) => new MediaUnavailable({ message: "No file", isFinal })

layer(Live, { excludeTestServices: true })("A received file", (it) => {
  it.effect("is downloaded again until 15 minutes after its message, with growing delays", () =>
    Effect.gen(function* () {
      const { organization } = yield* makeOwner
      const number = yield* makeNumber(organization, ["whatsapp"])
      downloads.push(failed(false), failed(false))
      yield* receive(imageFrom(newPhone(), number))
      yield* workAll
      yield* workAfter("10 minutes")
      assert.deepStrictEqual(yield* leftOver, { events: 1, ready: 0, waiting: 1 })
      assert.isEmpty(yield* mediaOf(organization))
      const sql = yield* SqlClient.SqlClient
      const [waiting] = yield* sql<{ seconds: number }>`SELECT extract(epoch FROM due_at - now())::float8 AS seconds
        FROM provider_event_waiting`
      assert.closeTo(waiting?.seconds ?? 0, 600, 30)
      yield* workAfter("11 minutes")
      const [file] = yield* mediaOf(organization)
      assert.deepInclude(file, { size: octets.byteLength, error: null, files: 1 })
      assert.deepStrictEqual(objects.get(String(file?.key)), octets)
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("is replaced by the reason at once if it is final, and otherwise after the last download", () =>
    Effect.gen(function* () {
      const { organization } = yield* makeOwner
      const number = yield* makeNumber(organization, ["whatsapp"])
      const withReason = { size: null, error: "No file", files: 0, key: null }
      downloads.push(failed(true))
      yield* receive(imageFrom(newPhone(), number))
      yield* workAll
      assert.deepStrictEqual(yield* mediaOf(organization), [withReason])
      downloads.push(failed(false), failed(false))
      yield* receive(imageFrom(newPhone(), number))
      yield* workAll
      yield* workAfter("16 minutes")
      assert.deepStrictEqual(yield* mediaOf(organization), [withReason, withReason])
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("is stored once for an event that two workers process", () =>
    Effect.gen(function* () {
      const { organization } = yield* makeOwner
      const number = yield* makeNumber(organization, ["whatsapp"])
      objects.clear()
      yield* receive(imageFrom(newPhone(), number))
      const events = yield* take("a")
      yield* Effect.all([work("a", events), work("b", events)], { concurrency: "unbounded" })
      assert.lengthOf(yield* mediaOf(organization), 1)
      assert.strictEqual(objects.size, 1)
    })
  )
})

layer(Live, { excludeTestServices: true })("A received text", (it) => {
  it.effect("answers the newest text from its number, and starts a conversation with it", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const ada = newPhone()
      yield* sendText(organization, { from: number, to: [ada] })
      const parent = yield* sendText(organization, { from: number, to: [ada] })
      yield* sendText(organization, { from: yield* makeNumber(organization), to: [ada] })
      yield* receive(textFrom(ada, number, { text: "Yes" }))
      yield* workAll
      const [received] = yield* receivedBy(organization)
      assert.deepInclude(received, { text: "Yes", parent })
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT m.channel, m.direction, m.content, s.status, m.conversation_id = ${received?.conversation ?? null} AS here,
            (SELECT string_agg(type, ' ' ORDER BY id) FROM events AS e WHERE e.subject_id = m.id) AS events
          FROM messages AS m JOIN message_states AS s ON s.organization_id = m.organization_id AND s.message_id = m.id
          WHERE m.organization_id = ${organization} AND m.id = ${received?.id ?? null}`,
        [
          {
            channel: "sms",
            direction: "inbound",
            content: { text: "Yes", from: ada, encoding: "gsm7", segments: 1 },
            status: "delivered",
            here: true,
            events: "message.received"
          }
        ]
      )
      assert.deepStrictEqual(
        yield* sql`SELECT c.channels, c.status, (SELECT string_agg(type, ' ' ORDER BY id) FROM events AS e WHERE e.subject_id = c.id) AS events,
            (SELECT count(*)::int FROM messages AS m WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id) AS messages,
            (SELECT count(*)::int FROM conversation_participants AS p WHERE p.conversation_id = c.id) AS participants,
            u.conversations::int AS counted, u.messages_kept::int AS kept, u.participants::int AS people
          FROM conversations AS c JOIN organization_usage AS u ON u.organization_id = c.organization_id
          WHERE c.organization_id = ${organization}`,
        [
          {
            channels: ["sms"],
            status: "active",
            events: "conversation.created",
            messages: 2,
            participants: 2,
            counted: 1,
            kept: 4,
            people: 3
          }
        ]
      )
    })
  )

  it.effect("continues the open conversation of its phone, and starts another one after its end", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const sql = yield* SqlClient.SqlClient
      const [ada, bob] = [newPhone(), newPhone()]
      yield* receive(textFrom(ada, number))
      yield* workAll
      yield* sql`UPDATE conversations SET status = 'snoozed', status_reason = 'later' WHERE organization_id = ${organization}`
      yield* receive(textFrom(ada, number))
      yield* workAll
      assert.deepStrictEqual(
        yield* sql`SELECT status, status_reason FROM conversations WHERE organization_id = ${organization}`,
        [{ status: "active", status_reason: null }]
      )
      // A send to several recipients belongs to none of their conversations.
      const both = yield* sendText(organization, { from: number, to: [ada, bob] })
      yield* receive(textFrom(ada, number))
      yield* workAll
      yield* sql`UPDATE conversations SET status = 'resolved' WHERE organization_id = ${organization}`
      yield* receive(textFrom(ada, number), textFrom(bob, number))
      yield* workAll
      const [one, two, three, ...ended] = yield* receivedBy(organization)
      assert.deepStrictEqual([one?.conversation, two?.conversation], [three?.conversation, three?.conversation])
      assert.deepStrictEqual([two?.parent, three?.parent], [null, both])
      assert.deepStrictEqual(
        ended.map(({ parent }) => parent),
        [both, both]
      )
      assert.strictEqual(new Set([one, ...ended].map((text) => text?.conversation)).size, 3)
      assert.deepStrictEqual(
        yield* sql`SELECT conversation_id FROM messages WHERE organization_id = ${organization} AND id = ${both}`,
        [{ conversation_id: null }]
      )
    })
  )

  it.effect("stays in the conversation of its parent, and adds its channel", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const sql = yield* SqlClient.SqlClient
      const ada = newPhone()
      yield* receive(textFrom(ada, number))
      yield* workAll
      const [first] = yield* receivedBy(organization)
      if (first === undefined) return assert.fail("nothing was received")
      yield* sql`UPDATE conversations SET channels = '{email}' WHERE organization_id = ${organization}`
      yield* sql`DELETE FROM conversation_labels WHERE organization_id = ${organization}`
      yield* sendText(organization, { from: number, to: [ada], conversationId: first.conversation })
      yield* receive(textFrom(ada, number))
      yield* workAll
      assert.deepStrictEqual(
        (yield* receivedBy(organization)).map(({ conversation }) => conversation),
        [first.conversation, first.conversation]
      )
      assert.deepStrictEqual(
        yield* sql`SELECT c.channels, l.label FROM conversations AS c
            JOIN conversation_labels AS l ON l.organization_id = c.organization_id AND l.conversation_id = c.id
          WHERE c.organization_id = ${organization}`,
        [{ channels: ["email", "sms"], label: "channel:sms" }]
      )
    })
  )

  it.effect("is joined from parts in any order, with the id of the first part, by two workers at once", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const ada = newPhone()
      const parts = partsOf(ada, number, ["Hello ", "dear ", "\ud83d", "\ude00"])
      yield* receive(...[...parts].reverse())
      const events = yield* take("a")
      assert.lengthOf(events, 4)
      yield* Effect.all([work("a", events), work("b", [...events].reverse()), work("a", events)], {
        concurrency: "unbounded"
      })
      const [first] = Array.sort(
        events.map(({ id }) => id),
        Order.string
      )
      const received = yield* receivedBy(organization)
      assert.deepStrictEqual(
        received.map(({ id, text }) => [id, text]),
        [[first, "Hello dear \u{1F600}"]]
      )
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("waits for missing parts, and is stored with gaps after five minutes", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const ada = newPhone()
      const [one, two, three] = partsOf(ada, number, ["one ", "two ", "three"])
      if (one === undefined || two === undefined || three === undefined) return
      yield* receive(three, one, three)
      yield* workAll
      yield* workAfter("4 minutes")
      assert.deepStrictEqual(yield* leftOver, { events: 2, ready: 0, waiting: 2 })
      assert.isEmpty(yield* receivedBy(organization))
      yield* workAfter("1 minute")
      assert.deepStrictEqual(
        (yield* receivedBy(organization)).map(({ text }) => text),
        ["one three"]
      )
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("is stored once if its event is processed by two workers, and starts one conversation with the next", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const ada = newPhone()
      yield* receive(textFrom(ada, number), textFrom(ada, number), textFrom(ada, number))
      const events = yield* take("a")
      yield* Effect.all([work("a", events), work("b", events)], { concurrency: "unbounded" })
      const received = yield* receivedBy(organization)
      assert.lengthOf(received, 3)
      assert.strictEqual(new Set(received.map(({ conversation }) => conversation)).size, 1)
      assert.deepStrictEqual(yield* leftOver, nothing)
    })
  )

  it.effect("opts its phone out of the number with STOP, and in again with START", () =>
    Effect.gen(function* () {
      const { number, organization } = yield* makeOwner
      const optOuts = yield* OptOuts
      const optedOut = Effect.suspend(() =>
        Effect.map(optOuts.list(organization, { number, phone: ada }, { page: 1, limit: 1 }), ({ items }) =>
          items.map(({ phone }) => phone)
        )
      )
      const ada = newPhone()
      yield* receive(textFrom(ada, number, { text: " stop\n" }))
      yield* workAll
      assert.deepStrictEqual(yield* optedOut, [ada])
      yield* receive(textFrom(ada, number, { text: "START" }))
      yield* workAll
      assert.isEmpty(yield* optedOut)
      assert.lengthOf(yield* receivedBy(organization), 2)
    })
  )
})
