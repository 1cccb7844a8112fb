import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { OptOut, type OptOutFilters, OptOutId, suppressOptOuts } from "@switchboard/domain/sms/OptOut"
import { DeliveryQueues } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { newId } from "@switchboard/services/NewId"
import { OptOutRepo } from "@switchboard/services/sms/OptOutRepo"
import { Array, Duration, Effect, Option, Schema } from "effect"
import { v7 } from "uuid"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { sendText, statusesOf } from "../providers/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const number = "+4930123456"
const phone = "+491701234567"
const encode = Schema.encodeSync(OptOut)

const insert = (own: OrganizationId, given: Partial<Pick<OptOut, "number" | "phone" | "source">> = {}) =>
  Effect.gen(function* () {
    const repo = yield* OptOutRepo
    const { id, now } = yield* newId(OptOutId)
    const optOut = new OptOut({ id, number, phone, source: "api", createdAt: now, ...given })
    return { optOut, isNew: yield* repo.insert(own, optOut) }
  })

/** No limits for a lease. */
const noLimits = { skipped: [], except: [], attachmentBytes: null, expiredOnly: false, pausedDomains: [] }

layer(OwnStoreLive, { excludeTestServices: true })("OptOutRepo on PostgreSQL", (it) => {
  it.effect("stores a pair of number and phone once, also with concurrent requests", () =>
    Effect.gen(function* () {
      const repo = yield* OptOutRepo
      const own = yield* makeOrganization()
      const inserted = yield* Effect.replicateEffect(insert(own, { source: "recipient" }), 12, {
        concurrency: "unbounded"
      })
      const stored = inserted.filter(({ isNew }) => isNew).map(({ optOut }) => optOut)
      assert.lengthOf(stored, 1)
      const [optOut = assert.fail("nothing was stored")] = stored
      const found = Option.getOrThrow(yield* repo.find(own, optOut.id))
      assert.deepStrictEqual(encode(found), encode(optOut))
      assert.deepStrictEqual(yield* repo.find(yield* makeOrganization(), optOut.id), Option.none())
    })
  )

  it.effect("lists opt-outs newest first, by number and by phone, and page after page", () =>
    Effect.gen(function* () {
      const repo = yield* OptOutRepo
      const own = yield* makeOrganization()
      const phones = Array.makeBy(5, (index) => `+49170000000${index}`)
      for (const one of phones) yield* insert(own, { phone: one })
      yield* insert(own, { number: "Ada", phone: "+491700000001" })
      const listed = (filters: OptOutFilters, page = { page: 1, limit: 20 }) =>
        Effect.map(repo.list(own, filters, page), ({ items, pagination }) => ({
          total: pagination.total,
          items: items.map((one) => `${one.number} ${one.phone}`)
        }))
      assert.deepStrictEqual(yield* listed({ phone: "+491700000001" }), {
        total: 2,
        items: ["Ada +491700000001", `${number} +491700000001`]
      })
      assert.deepStrictEqual(yield* listed({ number: "Ada" }), { total: 1, items: ["Ada +491700000001"] })
      assert.deepStrictEqual(yield* listed({ number: "Ada", phone: "+491700000002" }), { total: 0, items: [] })
      assert.deepStrictEqual(yield* listed({}, { page: 2, limit: 4 }), {
        total: 6,
        items: [`${number} +491700000001`, `${number} +491700000000`]
      })
      const { next } = yield* repo.list(own, {}, { page: 1, limit: 4 })
      assert.isNotNull(next)
    })
  )

  it.effect("finds the opt-outs of phones from a number of the organization", () =>
    Effect.gen(function* () {
      const repo = yield* OptOutRepo
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const { optOut } = yield* insert(own)
      const phones = [phone, "+491700000009"]
      assert.deepStrictEqual([...(yield* repo.findOptedOut(own, number, phones))], [[phone, optOut.id]])
      assert.strictEqual((yield* repo.findOptedOut(own, "Ada", phones)).size, 0)
      assert.strictEqual((yield* repo.findOptedOut(other, number, phones)).size, 0)
      assert.strictEqual((yield* repo.findOptedOut(own, number, [])).size, 0)
    })
  )

  it.effect("suppresses phones that opted out after the message was accepted", () =>
    Effect.gen(function* () {
      const { sms } = yield* DeliveryQueues
      const own = yield* makeOrganization()
      const all = yield* sendText(own, { from: number, to: [phone], isSettled: false })
      const some = yield* sendText(own, { from: number, to: [phone, "+491700000009"], isSettled: false })
      yield* insert(own)
      const taken = yield* sms.take({ worker: "a", limit: 10, perOwner: 10, lease: Duration.minutes(1), ...noLimits })
      assert.deepStrictEqual(
        taken.map(({ messageId }) => messageId),
        [some]
      )
      assert.strictEqual(yield* statusesOf(own, all), "failed suppressed")
      assert.strictEqual(yield* statusesOf(own, some), "pending suppressed pending")
    })
  )

  it.effect("does not queue a message that fails at acceptance, and stores its events", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const mail = yield* newMessage(own, { to: ["ada@example.com"] })
      const optedOut = new Map([["ada@example.com", OptOutId.make(v7())]])
      const failed = { ...mail, state: suppressOptOuts(mail.state, optedOut, mail.facts.createdAt) }
      const { message } = yield* repo.accept(failed)
      const stored = Option.getOrThrow(yield* repo.find(own, message.id))
      assert.deepInclude(stored, { status: "failed", lastError: "Every recipient that was left is blocked" })
      assert.deepStrictEqual(stored.failedAt, mail.facts.createdAt)
      assert.deepStrictEqual(stored.errorDetails, message.errorDetails)
      const events = yield* sql`SELECT type, data ->> 'before' AS before FROM events
        WHERE organization_id = ${own} AND subject_id = ${message.id} ORDER BY id`
      assert.deepStrictEqual(events, [
        { type: "message.created", before: null },
        { type: "message.failed", before: "pending" }
      ])
      assert.lengthOf(yield* sql`SELECT FROM message_queue WHERE message_id = ${message.id}`, 0)
    })
  )

  it.effect("removes an opt-out of the organization once", () =>
    Effect.gen(function* () {
      const repo = yield* OptOutRepo
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const { optOut } = yield* insert(own)
      assert.isFalse(yield* repo.remove(other, optOut.id, v7()))
      assert.isTrue(yield* repo.remove(own, optOut.id, v7()))
      assert.isFalse(yield* repo.remove(own, optOut.id, v7()))
      assert.isTrue(Option.isNone(yield* repo.find(own, optOut.id)))
      assert.strictEqual((yield* repo.findOptedOut(own, number, [phone])).size, 0)
      const { isNew, optOut: second } = yield* insert(own)
      assert.isTrue(isNew)
      assert.deepStrictEqual([...(yield* repo.findOptedOut(own, number, [phone]))], [[phone, second.id]])
    })
  )
})
