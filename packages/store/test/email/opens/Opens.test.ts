import { assert, layer } from "@effect/vitest"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { OpenRepo } from "@switchboard/services/email/opens/OpenRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { DateTime, Effect, Option } from "effect"
import { v7 } from "uuid"
import { makeOrganization, newMessage } from "../../messages/Fixtures.js"
import { delivered, settle, take } from "../../messages/QueueFixtures.js"
import { storedEvents } from "../../StoredRows.js"
import { StoreLive } from "../../StoreLive.js"

/** A delivered message. */
const sent = (own: OrganizationId) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const { message } = yield* repo.accept(yield* newMessage(own, { trackOpens: true }))
    const worker = v7()
    const taken = yield* take(worker)
    assert.isTrue(taken.find(({ messageId }) => messageId === message.id)?.trackOpens)
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

const readEvents = (own: OrganizationId, id: MessageId) =>
  Effect.map(storedEvents(own, "message.read"), (rows) => rows.filter(({ subject }) => subject === id).length)

layer(StoreLive, { excludeTestServices: true })("OpenRepo on PostgreSQL", (it) => {
  it.effect("marks a message as read once with one event, also for repeated and concurrent opens", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const opens = yield* OpenRepo
      const messageId = yield* sent(own)
      const other = yield* sent(own)
      const at = DateTime.add(yield* DateTime.now, { seconds: 10 })
      const open = { organizationId: own, messageId, place: 0, at }
      yield* Effect.all(
        [
          opens.record([open, { ...open, at: DateTime.add(at, { seconds: 1 }) }]),
          ...Array.from({ length: 8 }, () => opens.record([{ ...open, messageId: other }, open]))
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
      const opens = yield* OpenRepo
      const repo = yield* MessageRepo
      const gone = yield* sent(own)
      yield* repo.remove(own, gone)
      const messageId = yield* sent(own)
      const { message: waiting } = yield* repo.accept(yield* newMessage(own))
      const at = DateTime.add(yield* DateTime.now, { seconds: 10 })
      yield* opens.record([
        { organizationId: own, messageId: gone, place: 0, at },
        { organizationId: own, messageId: waiting.id, place: 0, at },
        { organizationId: own, messageId, place: 1, at },
        { organizationId: other, messageId, place: 0, at }
      ])
      assert.deepStrictEqual((yield* stateOf(own, messageId)).status, "delivered")
      assert.deepStrictEqual((yield* stateOf(own, waiting.id)).status, "pending")
      assert.strictEqual(yield* readEvents(own, messageId), 0)
    })
  )
})
