import { assert, layer } from "@effect/vitest"
import { SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { OptOuts } from "@switchboard/services/sms/OptOuts"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { freshNumber } from "@switchboard/store/testing/sms/Fixtures"
import { Array, DateTime, Effect, Layer } from "effect"
import { v7 } from "uuid"

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
      const apply = (text: string, id = v7()) => optOuts.apply(organization, { id, number, phone, text })
      const steps = [
        ["Please stop", false],
        [" stop\n", true],
        ["Quit", true],
        ["start over", true],
        ["UNSTOP", false],
        ["START", false],
        ["STOPALL", true]
      ] as const
      for (const [text, blocked] of steps) {
        yield* apply(text)
        assert.strictEqual(yield* isBlocked, blocked, text)
      }
      const { items } = yield* optOuts.list(organization, {}, { page: 1, limit: 20 })
      assert.deepStrictEqual(
        items.map(({ number: from, phone: to, source }) => [from, to, source]),
        [[number, phone, "recipient"]]
      )
    })
  )

  it.effect("follow the word that arrived last, in any order of processing", () =>
    Effect.gen(function* () {
      const optOuts = yield* OptOuts
      const { number, organization } = yield* makeOwner
      const optedOut = Effect.map(optOuts.list(organization, { number, phone }, { page: 1, limit: 1 }), ({ items }) =>
        items.map(({ id }) => id)
      )
      const arrivals = Array.makeBy(6, () => v7())
      const apply = (at: number, text: string) =>
        optOuts.apply(organization, { id: arrivals[at] ?? "", number, phone, text })
      // START arrived after STOP, and is processed first: the phone has no opt-out yet.
      yield* apply(1, "START")
      yield* apply(0, "STOP")
      assert.isEmpty(yield* optedOut)
      yield* apply(2, "STOP")
      const [id] = yield* optedOut
      // An active opt-out keeps its id, and the repeated word counts as the newest one.
      yield* apply(4, "STOP")
      yield* apply(3, "START")
      assert.deepStrictEqual(yield* optedOut, [id])
      yield* apply(5, "START")
      yield* apply(5, "START")
      yield* apply(4, "STOP")
      assert.isEmpty(yield* optedOut)
      const added = yield* optOuts.add(organization, { number, phone })
      yield* apply(5, "START")
      assert.deepStrictEqual(yield* optedOut, [added.id])
      yield* optOuts.remove(organization, added.id)
      yield* apply(4, "STOP")
      assert.isEmpty(yield* optedOut)
      assert.strictEqual((yield* optOuts.list(organization, {}, { page: 1, limit: 1 })).pagination.total, 0)
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
