import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { OptOut, type OptOutFilters, OptOutId } from "@switchboard/domain/sms/OptOut"
import { newId } from "@switchboard/services/NewId"
import { OptOutRepo } from "@switchboard/services/sms/OptOutRepo"
import { Array, Effect, Option, Schema } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"

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

layer(StoreLive, { excludeTestServices: true })("OptOutRepo on PostgreSQL", (it) => {
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

  it.effect("removes an opt-out by id or by its pair, of the organization only", () =>
    Effect.gen(function* () {
      const repo = yield* OptOutRepo
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const { optOut } = yield* insert(own)
      assert.isFalse(yield* repo.remove(other, optOut.id))
      assert.isFalse(yield* repo.lift(other, number, phone))
      assert.isFalse(yield* repo.lift(own, "Ada", phone))
      assert.isTrue(yield* repo.lift(own, number, phone))
      assert.isFalse(yield* repo.lift(own, number, phone))
      const { optOut: second } = yield* insert(own)
      assert.isTrue(yield* repo.remove(own, second.id))
      assert.isFalse(yield* repo.remove(own, OptOutId.make(v7())))
    })
  )
})
