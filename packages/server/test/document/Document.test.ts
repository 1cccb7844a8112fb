import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { fewPermissions } from "./FewPermissions.js"
import { Installation } from "./Installation.js"
import { ownAnswers } from "./OwnAnswers.js"
import { refusalProblems } from "./Refusals.js"
import { letter, stockOf } from "./Stock.js"
import { everythingRead, sharedIds, toldApart } from "./Strangers.js"
import { strayMethods } from "./StrayMethods.js"

/** Some hundred requests of each test, also where other tests keep the processors busy. */
const patience = 120_000

layer(Installation.Live, { timeout: "300 seconds", excludeTestServices: true })("Every operation", (it) => {
  it.effect(
    "answers another organization's ids as it answers unknown ones, and changes nothing of theirs",
    () =>
      Effect.gen(function* () {
        const installation = yield* Installation
        const { operations, owner, stranger } = installation
        const owners = yield* stockOf(installation, owner, "The same for both")
        const strangers = yield* stockOf(installation, stranger, "The same for both")
        yield* Effect.all([owners.everything, strangers.everything], { concurrency: 2 })
        const before = yield* everythingRead(installation, owner, owners)
        const strangersOwn = yield* everythingRead(installation, stranger, strangers)
        const told = yield* Effect.forEach(operations, (one) => toldApart(installation, one, owners, strangers), {
          concurrency: 3
        })
        const after = new Map(yield* everythingRead(installation, owner, owners))
        const found = [
          ...told.flat(),
          ...before.flatMap(([id, text]) =>
            after.get(id) === text ? [] : [`${id} told its owner ${text}, and now ${after.get(id)}`]
          ),
          ...sharedIds(before, strangersOwn)
        ]
        assert.deepStrictEqual(found, [])
      }),
    patience
  )

  it.effect(
    "answers its own organization as the document says",
    () =>
      Effect.gen(function* () {
        const installation = yield* Installation
        const found = yield* Effect.forEach(installation.operations, (one) => ownAnswers(installation, one), {
          concurrency: 3
        })
        assert.deepStrictEqual(found.flat(), [])
      }),
    patience
  )

  it.effect(
    "refuses what it must, in the order of the contract, in the shape that the document gives",
    () =>
      Effect.gen(function* () {
        const installation = yield* Installation
        const keys = yield* fewPermissions(installation)
        const stock = yield* stockOf(installation, installation.owner, "Refused")
        const found = yield* Effect.forEach(
          installation.operations,
          (one) => refusalProblems(installation, one, keys, stock),
          { concurrency: 3 }
        )
        assert.deepStrictEqual([...found.flat(), ...(yield* strayMethods(installation))], [])
      }),
    patience
  )

  it.effect("takes the same key and the same content of two organizations for two messages", () =>
    Effect.gen(function* () {
      const { owner, send, stranger } = yield* Installation
      // Their senders have one address, and would have two names.
      const from = "The same <hello@localhost.test>"
      for (const given of [{ idempotencyKey: "The same" }, {}]) {
        const subject = `The same ${Object.keys(given)}`
        const body = letter(subject, { ...given, email: { subject, html: "<p>Hello</p>", from } })
        const [first, second, ...again] = yield* Effect.forEach([owner, stranger, owner, stranger], ({ key }) =>
          Effect.flatMap(send("POST", "/v1/messages", { headers: { "X-API-Key": key }, body }), (answer) =>
            Schema.decodeUnknown(Schema.Struct({ id: Schema.String, organizationId: Schema.String }))(answer.body)
          )
        )
        assert.deepStrictEqual(again, [first, second])
        assert.notStrictEqual(first?.id, second?.id)
        assert.notStrictEqual(first?.organizationId, second?.organizationId)
      }
    })
  )
})
