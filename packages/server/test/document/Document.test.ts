import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer, Schema } from "effect"
import { emailRequest, makeFixtures } from "./Fixtures.js"
import { foreignIdProblems, readEverything, sharedIds } from "./ForeignIds.js"
import { idempotencyProblems } from "./Idempotency.js"
import { Installation } from "./Installation.js"
import { makeLimitedKeys } from "./LimitedKeys.js"
import { LockSession, lockedResponses } from "./Locked.js"
import { ownResponseProblems } from "./OwnResponses.js"
import { refusalProblems } from "./Refusals.js"
import { undeclaredMethodProblems } from "./UndeclaredMethods.js"

const Live = Layer.merge(Installation.Live, LockSession).pipe(Layer.provide(TestDatabaseUrl.Live))

layer(Live, { excludeTestServices: true })("Every operation", (it) => {
  it.effect("responds to ids of another organization as to unknown ids, and does not change its resources", () =>
    Effect.gen(function* () {
      const installation = yield* Installation
      const { operations, owner, other } = installation
      const ownerFixtures = yield* makeFixtures(installation, owner, "Shared name")
      const otherFixtures = yield* makeFixtures(installation, other, "Shared name")
      yield* Effect.all([ownerFixtures.everything, otherFixtures.everything], { concurrency: 2 })
      yield* installation.foldedEvents
      const before = yield* readEverything(installation, owner, ownerFixtures)
      const otherRead = yield* readEverything(installation, other, otherFixtures)
      const headersOf = yield* Effect.cachedFunction((scheme: string) => installation.credentials(other.key, scheme))
      const foreign = yield* Effect.forEach(
        operations,
        (one) => foreignIdProblems(installation, one, ownerFixtures, otherFixtures, headersOf),
        { concurrency: 3 }
      )
      const after = new Map(yield* readEverything(installation, owner, ownerFixtures))
      const found = [
        ...foreign.flat(),
        ...before.flatMap(([id, text]) =>
          after.get(id) === text ? [] : [`${id} returned to its owner ${text}, and now ${after.get(id)}`]
        ),
        ...sharedIds(before, otherRead)
      ]
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("responds to its own organization as described", () =>
    Effect.gen(function* () {
      const installation = yield* Installation
      const readFixtures = yield* makeFixtures(installation, installation.owner, "Read")
      const found = yield* Effect.forEach(
        installation.operations,
        (one) => ownResponseProblems(installation, one, readFixtures),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(found.flat(), [])
    })
  )

  it.effect("refuses invalid requests in the order of the contract, with the described responses", () =>
    Effect.gen(function* () {
      const installation = yield* Installation
      const keys = yield* makeLimitedKeys(installation)
      const fixtures = yield* makeFixtures(installation, installation.owner, "Refused")
      const found = yield* Effect.forEach(
        installation.operations,
        (one) => refusalProblems(installation, one, keys, fixtures),
        { concurrency: 3 }
      )
      assert.deepStrictEqual([...found.flat(), ...(yield* undeclaredMethodProblems(installation))], [])
    })
  )

  it.effect("that creates a resource creates it once for an idempotency key", () =>
    Effect.gen(function* () {
      const installation = yield* Installation
      const creating = installation.operations.filter(({ responses }) => responses[201] !== undefined)
      assert.isAbove(creating.length, 20)
      const found = yield* Effect.forEach(creating, (one) => idempotencyProblems(installation, one), {
        concurrency: 3
      })
      assert.deepStrictEqual(found.flat(), [])
    })
  )

  it.effect("treats equal idempotency keys and contents of two organizations as two messages", () =>
    Effect.gen(function* () {
      const { owner, send, other } = yield* Installation
      // Both organizations have a sender with this address.
      const from = "The same <hello@localhost.test>"
      for (const overrides of [{ idempotencyKey: "The same" }, {}]) {
        const subject = `The same ${Object.keys(overrides)}`
        const body = emailRequest(subject, { ...overrides, email: { subject, html: "<p>Hello</p>", from } })
        const [first, second, ...again] = yield* Effect.forEach([owner, other, owner, other], ({ key }) =>
          Effect.flatMap(send("POST", "/v1/messages", { headers: { "X-API-Key": key }, body }), (response) =>
            Schema.decodeUnknown(Schema.Struct({ id: Schema.String, organizationId: Schema.String }))(response.body)
          )
        )
        assert.deepStrictEqual(again, [first, second])
        assert.notStrictEqual(first?.id, second?.id)
        assert.notStrictEqual(first?.organizationId, second?.organizationId)
      }
    })
  )

  it.effect("responds 503 with Retry-After in time while tables are locked", () =>
    Effect.gen(function* () {
      const { available, wrong } = yield* Effect.flatMap(Installation, lockedResponses)
      assert.deepStrictEqual(wrong, [])
      // API key operations use unlocked tables, detectRegistrar only DNS, and a batch has a status per message.
      assert.deepStrictEqual(
        available.flatMap(({ id, permission }) =>
          /^apiKeys/.test(permission ?? "") || id === "domains.detectRegistrar" ? [] : [id]
        ),
        ["messages.batch"]
      )
    })
  )
})
