import { assert, layer } from "@effect/vitest"
import { SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { OptOuts } from "@switchboard/services/sms/OptOuts"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { freshNumber } from "@switchboard/store/testing/sms/Fixtures"
import { DateTime, Effect, Layer, Option } from "effect"

const Live = Layer.provideMerge(OptOuts.Default, StoreLive)

const phone = "+491701234567"

/** An organization with a number for texts. */
const makeOwner = Effect.gen(function* () {
  const organization = yield* makeOrganization()
  const { add } = yield* NumberRepo
  const number = freshNumber()
  yield* add(organization, new SmsNumber({ number, channels: ["sms"], createdAt: yield* DateTime.now }))
  return { organization, number }
})

layer(Live, { excludeTestServices: true })("OptOuts on PostgreSQL", (it) => {
  it.effect("follow the words of received texts at once, and ignore other texts", () =>
    Effect.gen(function* () {
      const optOuts = yield* OptOuts
      const { number, organization } = yield* makeOwner
      const isBlocked = Effect.map(
        optOuts.list(organization, { number, phone }, { page: 1, limit: 1 }),
        ({ items }) => items.length > 0
      )
      const apply = (text: string) => optOuts.apply(organization, number, phone, text)
      const steps = [
        ["Please stop", Option.none(), false],
        [" stop\n", Option.some({ word: "stop", isChanged: true }), true],
        ["Quit", Option.some({ word: "stop", isChanged: false }), true],
        ["start over", Option.none(), true],
        ["UNSTOP", Option.some({ word: "start", isChanged: true }), false],
        ["START", Option.some({ word: "start", isChanged: false }), false],
        ["STOPALL", Option.some({ word: "stop", isChanged: true }), true]
      ] as const
      for (const [text, applied, blocked] of steps) {
        assert.deepStrictEqual(yield* apply(text), applied)
        assert.strictEqual(yield* isBlocked, blocked, text)
      }
      const { items } = yield* optOuts.list(organization, {}, { page: 1, limit: 20 })
      assert.deepStrictEqual(
        items.map(({ number: from, phone: to, source }) => [from, to, source]),
        [[number, phone, "recipient"]]
      )
    })
  )

  it.effect("are added once, to a number of the organization and a valid phone", () =>
    Effect.gen(function* () {
      const optOuts = yield* OptOuts
      const { number, organization } = yield* makeOwner
      const foreign = yield* makeOwner
      const added = yield* optOuts.add(organization, { number, phone })
      assert.deepInclude(added, { number, phone, source: "api" })
      const again = yield* Effect.flip(optOuts.add(organization, { number, phone }))
      assert.deepInclude(again, { _tag: "ConflictError", resource: "opt-out" })
      assert.strictEqual(again.message, `${phone} already opted out of texts from ${number}`)
      const refused = yield* Effect.flip(optOuts.add(organization, { number: foreign.number, phone: "+9991234567" }))
      assert.deepInclude(refused, {
        _tag: "ValidationError",
        fields: {
          number: ["must be a number of the organization for sms"],
          phone: ["must be a phone number with its country code, like +4930123456"]
        }
      })
      assert.deepStrictEqual(yield* optOuts.get(organization, added.id), added)
      yield* optOuts.remove(organization, added.id)
      const gone = yield* Effect.flip(optOuts.remove(organization, added.id))
      assert.deepInclude(gone, { _tag: "ResourceNotFoundError", resource: "opt-out", id: added.id })
      const unknown = yield* Effect.flip(optOuts.get(organization, added.id))
      assert.strictEqual(unknown._tag, "ResourceNotFoundError")
    })
  )
})
