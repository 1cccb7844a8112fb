import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { RequestClient } from "@switchboard/domain/email/tracking/TrackedRequest"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { complained } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { EngagementRepo } from "@switchboard/services/email/tracking/EngagementRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { DateTime, Effect, Option } from "effect"
import { v7 } from "uuid"
import { makeOrganization, newMessage } from "../../messages/Fixtures.js"
import { delivered, settle, take } from "../../messages/QueueFixtures.js"
import { storedEvents } from "../../StoredRows.js"
import { StoreLive } from "../../StoreLive.js"

/** A delivered message. */
const sent = (organization: OrganizationId) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const { message } = yield* repo.accept(yield* newMessage(organization, { trackOpens: true, trackClicks: true }))
    const worker = v7()
    const taken = yield* take(worker)
    const own = taken.find(({ messageId }) => messageId === message.id)
    assert.deepStrictEqual([own?.trackOpens, own?.trackClicks], [true, true])
    yield* settle(worker, taken, delivered)
    return message.id
  })

const stateOf = (own: OrganizationId, id: MessageId) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const message = Option.getOrThrow(yield* repo.find(own, id))
    return {
      status: message.status,
      readAt: message.readAt,
      deliveries: message.emailMetadata?.deliveries.map(({ status }) => status)
    }
  })

const eventTypes = (own: OrganizationId, id: MessageId) =>
  Effect.map(Effect.all(["message.read", "message.clicked"].map((type) => storedEvents(own, type))), (rows) =>
    rows.map((ones) => ones.filter(({ subject }) => subject === id).length)
  )

const readEvents = (own: OrganizationId, id: MessageId) =>
  Effect.map(storedEvents(own, "message.read"), (rows) => rows.filter(({ subject }) => subject === id).length)

layer(StoreLive, { excludeTestServices: true })("EngagementRepo on PostgreSQL", (it) => {
  it.effect("marks a message as read once with one event, also for repeated and concurrent opens", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const opens = yield* EngagementRepo
      const messageId = yield* sent(own)
      const other = yield* sent(own)
      const at = DateTime.add(yield* DateTime.now, { seconds: 10 })
      const openOf = (id: MessageId, time = at) => ({
        mail: { organizationId: own, messageId: id, place: 0 },
        request: { at: time, client: "other" as const }
      })
      const open = openOf(messageId)
      yield* Effect.all(
        [
          opens.record([open, openOf(messageId, DateTime.add(at, { seconds: 1 }))]),
          ...Array.from({ length: 8 }, () => opens.record([openOf(other), open]))
        ],
        { concurrency: "unbounded" }
      )
      for (const id of [messageId, other]) {
        assert.deepStrictEqual(yield* stateOf(own, id), { status: "read", readAt: at, deliveries: ["read"] })
        assert.strictEqual(yield* readEvents(own, id), 1)
      }
    })
  )

  it.effect("ignores opens of unsent, deleted and other organizations' messages", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const opens = yield* EngagementRepo
      const repo = yield* MessageRepo
      const gone = yield* sent(own)
      yield* repo.remove(own, gone)
      const messageId = yield* sent(own)
      const { message: waiting } = yield* repo.accept(yield* newMessage(own))
      const at = DateTime.add(yield* DateTime.now, { seconds: 10 })
      const request = { at, client: "other" as const }
      yield* opens.record([
        { mail: { organizationId: own, messageId: gone, place: 0 }, request },
        { mail: { organizationId: own, messageId: waiting.id, place: 0 }, request },
        { mail: { organizationId: own, messageId, place: 1 }, request },
        { mail: { organizationId: other, messageId, place: 0 }, request }
      ])
      assert.deepStrictEqual((yield* stateOf(own, messageId)).status, "delivered")
      assert.deepStrictEqual((yield* stateOf(own, waiting.id)).status, "pending")
      assert.strictEqual(yield* readEvents(own, messageId), 0)
    })
  )

  it.effect("stores clicks of persons with an event each, and those of bots without one", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const engagements = yield* EngagementRepo
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const messageId = yield* sent(own)
      const start = yield* DateTime.now
      const mail = { organizationId: own, messageId, place: 0 }
      const click = (seconds: number, client: RequestClient = "other") => ({
        mail,
        request: {
          at: DateTime.add(start, { seconds }),
          client,
          url: `https://example.com/?a&b="${seconds}"`,
          userAgent: "x"
        }
      })
      const clicks = Effect.map(repo.find(own, messageId), (found) => Option.getOrThrow(found).emailMetadata?.clicks)
      assert.isUndefined(yield* clicks)
      yield* engagements.record([click(10, "automatic")])
      assert.strictEqual((yield* stateOf(own, messageId)).status, "delivered")
      assert.deepStrictEqual(yield* eventTypes(own, messageId), [0, 0])
      yield* engagements.record([click(11), click(12), click(13, "automatic")])
      yield* engagements.record([click(14)])
      assert.deepStrictEqual((yield* stateOf(own, messageId)).readAt, DateTime.add(start, { seconds: 11 }))
      assert.deepStrictEqual(yield* eventTypes(own, messageId), [1, 3])
      assert.deepStrictEqual(
        (yield* clicks)?.map(({ isLikelyBot = false, recipient, url, userAgent }) => [
          url,
          recipient,
          userAgent,
          isLikelyBot
        ]),
        [10, 11, 12, 13, 14].map((seconds) => [
          `https://example.com/?a&b="${seconds}"`,
          "ada@example.com",
          "x",
          seconds === 10 || seconds === 13
        ])
      )
      const first = yield* sql`SELECT data ->> 'isFirst' AS first FROM events
        WHERE organization_id = ${own} AND type = 'message.clicked' AND subject_id = ${messageId} ORDER BY id`
      assert.deepStrictEqual(first, [{ first: "true" }, { first: "false" }, { first: "false" }])
    })
  )

  it.effect("keeps clicks when another change of the message is stored", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const engagements = yield* EngagementRepo
      const repo = yield* MessageRepo
      const messageId = yield* sent(own)
      const at = DateTime.add(yield* DateTime.now, { seconds: 10 })
      const request = { at, client: "other" as const, url: "https://example.com/", userAgent: undefined }
      yield* engagements.record([{ mail: { organizationId: own, messageId, place: 0 }, request }])
      yield* repo.change(own, messageId, (state) => Effect.succeed(complained(state, "ada@example.com", at)))
      const message = Option.getOrThrow(yield* repo.find(own, messageId))
      assert.strictEqual(message.status, "complained")
      assert.lengthOf(message.emailMetadata?.clicks ?? [], 1)
      assert.deepStrictEqual(yield* eventTypes(own, messageId), [1, 1])
    })
  )
})
