import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type NumberChannel, SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"
import { freshNumber } from "./Fixtures.js"

const add = (
  own: OrganizationId,
  number: string,
  channels: ReadonlyArray<NumberChannel> = ["sms"],
  createdAt = "2026-11-20T09:30:00.000Z"
) => {
  const added = new SmsNumber({ number, channels, createdAt: DateTime.unsafeMake(createdAt) })
  return Effect.as(
    Effect.flatMap(NumberRepo, (repo) => repo.add(own, added)),
    added
  )
}

const encode = Schema.encodeSync(Schema.Array(SmsNumber))

layer(StoreLive, { excludeTestServices: true })("NumberRepo on PostgreSQL", (it) => {
  it.effect("lists an organization's numbers, oldest first, and the oldest of a channel is its default", () =>
    Effect.gen(function* () {
      const repo = yield* NumberRepo
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const newer = yield* add(own, freshNumber(), ["sms", "whatsapp", "voice"], "2026-11-21T00:00:00.000Z")
      const older = yield* add(own, freshNumber(), ["whatsapp"], "2026-11-20T00:00:00.000Z")
      const foreign = yield* add(other, freshNumber(), ["sms"], "2026-11-19T00:00:00.000Z")
      const listed = yield* repo.list(own)
      assert.deepStrictEqual(encode(listed.map(({ id: _, ...number }) => number)), encode([older, newer]))
      assert.strictEqual(new Set(listed.map(({ id }) => id)).size, 2)
      const voice = Option.map(yield* repo.findVoice(own, undefined), ({ number }) => number)
      assert.deepStrictEqual(voice, Option.some(newer.number))
      assert.deepStrictEqual(yield* repo.findVoice(own, newer.number), Array.get(listed, 1))
      for (const number of [older.number, foreign.number]) {
        assert.deepStrictEqual(yield* repo.findVoice(own, number), Option.none())
      }
      assert.deepStrictEqual(yield* repo.defaultOf(own, "sms"), Option.some(newer.number))
      assert.deepStrictEqual(yield* repo.defaultOf(own, "whatsapp"), Option.some(older.number))
      assert.deepStrictEqual(yield* repo.defaultOf(other, "voice"), Option.none())
      const all = (yield* repo.listAll).filter(({ organizationId }) => [own, other].includes(organizationId))
      assert.deepStrictEqual(
        all.map(({ number, organizationId }) => [number.number, organizationId]),
        [
          [foreign.number, other],
          [older.number, own],
          [newer.number, own]
        ]
      )
    })
  )

  it.effect("finds the organization of a number by channel", () =>
    Effect.gen(function* () {
      const repo = yield* NumberRepo
      const own = yield* makeOrganization()
      const { number } = yield* add(own, freshNumber(), ["sms", "voice"])
      const owners = yield* Effect.all(
        [repo.ownerOf(number, "sms"), repo.ownerOf(number, "whatsapp"), repo.ownerOf("+4930000000", "sms")],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(owners, [Option.some(own), Option.none(), Option.none()])
    })
  )

  it.effect("rejects a number that an organization has, without the name of another organization", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const { number } = yield* add(own, freshNumber())
      const again = yield* Effect.flip(add(own, number, ["voice"]))
      assert.deepInclude(again, { _tag: "ConflictError", resource: "number" })
      assert.strictEqual(again.message, `The organization has the number ${number} already`)
      const taken = yield* Effect.flip(add(other, number))
      assert.strictEqual(taken.message, `Another organization has the number ${number} already`)
      assert.notInclude(JSON.stringify(taken), own)
      const repo = yield* NumberRepo
      assert.deepStrictEqual(yield* repo.ownerOf(number, "sms"), Option.some(own))
      assert.deepStrictEqual(yield* repo.ownerOf(number, "voice"), Option.none())
    })
  )

  it.effect("gives a number to one of many concurrent organizations", () =>
    Effect.gen(function* () {
      const organizations = yield* Effect.replicateEffect(makeOrganization(), 8)
      const number = freshNumber()
      const added = yield* Effect.forEach(organizations, (own) => Effect.isSuccess(add(own, number)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(added.filter(Boolean).length, 1)
    })
  )

  it.effect("removes a number of the organization only", () =>
    Effect.gen(function* () {
      const repo = yield* NumberRepo
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const { number } = yield* add(own, freshNumber())
      assert.isFalse(yield* repo.remove(other, number))
      assert.isTrue(yield* repo.remove(own, number))
      assert.isFalse(yield* repo.remove(own, number))
      assert.isTrue(Array.isEmptyReadonlyArray(yield* repo.list(own)))
      yield* add(other, number)
      assert.deepStrictEqual(yield* repo.ownerOf(number, "sms"), Option.some(other))
    })
  )
})
