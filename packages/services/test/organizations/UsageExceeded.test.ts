import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { usageExceeded } from "@switchboard/services/organizations/UsageExceeded"
import { Context, Effect, Layer, TestClock } from "effect"

const one = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250000")
const unused = Effect.dieMessage("not asked for by this test")

/** What refused sends call, over a store that counts who is marked. */
const told = (mark: Effect.Effect<boolean, ServiceUnavailableError>) =>
  Effect.gen(function* () {
    const marked: Array<OrganizationId> = []
    const Repo = Layer.succeed(OrganizationRepo, {
      insert: () => unused,
      insertFirst: () => unused,
      find: () => unused,
      findWhole: () => unused,
      update: () => unused,
      markExceeded: (id) =>
        Effect.zipRight(
          Effect.sync(() => marked.push(id)),
          mark
        ),
      list: unused,
      setPlan: () => unused
    })
    const tell = yield* usageExceeded(Context.get(yield* Layer.build(Repo), OrganizationRepo))
    return { tell, marked }
  })

it.scoped("a plan that is exceeded is marked by the first of many refused sends, and looked at again by and by", () =>
  Effect.gen(function* () {
    const { marked, tell } = yield* told(Effect.succeed(true))
    yield* Effect.all(Effect.replicate(tell(one), 100), { concurrency: "unbounded" })
    assert.deepStrictEqual(marked, [one])
    yield* tell(other)
    assert.deepStrictEqual(marked, [one, other])
    yield* TestClock.adjust("61 seconds")
    yield* tell(one)
    assert.deepStrictEqual(marked, [one, other, one])
  })
)

it.scoped.each([
  {
    what: "a database that is away",
    failure: new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })
  },
  { what: "a defect", failure: Effect.die(new Error("no such column")) }
])("$what never changes a refused send's answer, and the next one tries again", ({ failure }) =>
  Effect.gen(function* () {
    const { marked, tell } = yield* told(failure)
    yield* tell(one)
    yield* TestClock.adjust("1 millis")
    yield* tell(one)
    assert.deepStrictEqual(marked, [one, one])
  })
)
