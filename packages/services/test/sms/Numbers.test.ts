import { assert, layer } from "@effect/vitest"
import { ValidationError } from "@switchboard/domain/Errors"
import { SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { HandsetEnabled } from "@switchboard/services/handset/HandsetPhone"
import { LocalNumbers } from "@switchboard/services/sms/LocalNumbers"
import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { Numbers } from "@switchboard/services/sms/Numbers"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { freshNumber } from "@switchboard/store/testing/sms/Fixtures"
import { DateTime, Effect, Layer, Option, TestClock, TestContext } from "effect"

const Live = Numbers.Default.pipe(Layer.provideMerge(StoreLive))

const channels = ["sms", "voice"] as const
const newNumber = (number: string) =>
  new SmsNumber({ number, channels, createdAt: DateTime.unsafeMake("2026-11-20T09:30:00.000Z") })

const fieldsOf = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(self), (error) => (error instanceof ValidationError ? error.fields : error))

const command = (channel: string) => `"switchboard numbers add NUMBER --organization ID_OR_SLUG --channels ${channel}"`

layer(Live, { excludeTestServices: true })("Numbers on PostgreSQL", (it) => {
  it.effect("resolves the requested number, or the organization's oldest one", () =>
    Effect.gen(function* () {
      const [numbers, repo] = [yield* Numbers, yield* NumberRepo]
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const [first, foreign] = [freshNumber(), freshNumber()]
      yield* repo.add(own, newNumber(first))
      yield* repo.add(other, newNumber(foreign))
      assert.strictEqual(yield* numbers.resolve(own, "sms", undefined), first)
      assert.strictEqual(yield* numbers.resolve(own, "sms", first), first)
      const refused = { "sms.from": [`must be a number of the organization: add it with ${command("sms")}`] }
      assert.deepStrictEqual(yield* fieldsOf(numbers.resolve(own, "sms", foreign)), refused)
      assert.deepStrictEqual(yield* fieldsOf(numbers.resolve(own, "sms", "Unknown")), refused)
      assert.hasAllKeys(yield* fieldsOf(numbers.resolve(own, "whatsapp", first)), ["whatsapp"])
      assert.deepStrictEqual(yield* fieldsOf(numbers.resolve(own, "whatsapp", undefined)), {
        whatsapp: [`is required: the organization has no number; add one with ${command("whatsapp")}`]
      })
    })
  )

  it.effect("takes an added number at once, and rejects a removed one after 500 ms", () =>
    Effect.gen(function* () {
      const [numbers, repo] = [yield* Numbers, yield* NumberRepo]
      const own = yield* makeOrganization()
      const number = freshNumber()
      assert.hasAllKeys(yield* fieldsOf(numbers.resolve(own, "sms", number)), ["sms.from"])
      assert.hasAllKeys(yield* fieldsOf(numbers.resolve(own, "sms", undefined)), ["sms.from"])
      yield* repo.add(own, newNumber(number))
      assert.strictEqual(yield* numbers.resolve(own, "sms", number), number)
      assert.strictEqual(yield* numbers.resolve(own, "sms", undefined), number)
      yield* repo.remove(own, number)
      assert.strictEqual(yield* numbers.resolve(own, "sms", number), number)
      yield* TestClock.adjust("501 millis")
      assert.hasAllKeys(yield* fieldsOf(numbers.resolve(own, "sms", number)), ["sms.from"])
      assert.hasAllKeys(yield* fieldsOf(numbers.resolve(own, "sms", undefined)), ["sms.from"])
    }).pipe(Effect.provide(TestContext.TestContext))
  )

  it.effect("give each organization of the local handset one number, also with concurrent processes", () =>
    Effect.gen(function* () {
      const [local, repo] = [yield* LocalNumbers, yield* NumberRepo]
      const [own, other, later] = [yield* makeOrganization(), yield* makeOrganization(), yield* makeOrganization()]
      const starts = Effect.forEach([own, other, own, other], local.ensure, { concurrency: "unbounded" })
      const given = yield* starts
      assert.deepStrictEqual(yield* starts, given)
      const [ofOwn, ofOther] = [yield* repo.list(own), yield* repo.list(other)]
      for (const [number, ...others] of [ofOwn, ofOther]) {
        assert.match(number?.number ?? "", /^\+1555\d{7}$/)
        assert.deepStrictEqual(number?.channels, ["sms", "whatsapp", "voice"])
        assert.isEmpty(others)
      }
      assert.notStrictEqual(ofOwn[0]?.number, ofOther[0]?.number)
      yield* repo.add(later, newNumber("Later"))
      assert.deepStrictEqual(yield* local.ensure(later), Option.some("Later"))
      assert.lengthOf(yield* repo.list(later), 1)
      yield* repo.remove(later, "Later")
    }).pipe(Effect.provide(LocalNumbers.Default), Effect.provideService(HandsetEnabled, true))
  )

  it.effect("give no local number without the local handset", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { ensure } = yield* LocalNumbers
      assert.deepStrictEqual(yield* ensure(own), Option.none())
      assert.isEmpty(yield* Effect.flatMap(NumberRepo, ({ list }) => list(own)))
    }).pipe(Effect.provide(LocalNumbers.Default), Effect.provideService(HandsetEnabled, false))
  )
})
