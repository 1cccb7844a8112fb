import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { usageExceeded } from "@switchboard/services/organizations/Organizations"
import { Context, Effect, Layer, TestClock } from "effect"

const one = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250000")
const unused = Effect.dieMessage("not used in this test")

/** usageExceeded over a repository that records the marked organizations. */
const makeUsageExceeded = (mark: Effect.Effect<boolean, ServiceUnavailableError>) =>
  Effect.gen(function* () {
    const marked: Array<OrganizationId> = []
    const Repo = Layer.succeed(OrganizationRepo, {
      insert: () => unused,
      insertFirst: () => unused,
      find: () => unused,
      findWithUsage: () => unused,
      update: () => unused,
      markExceeded: (id) =>
        Effect.zipRight(
          Effect.sync(() => marked.push(id)),
          mark
        ),
      list: unused,
      setPlan: () => unused
    })
    const notify = yield* usageExceeded(Context.get(yield* Layer.build(Repo), OrganizationRepo))
    return { notify, marked }
  })

it.scoped("marks an exceeded plan once for concurrent rejected sends, and again after a minute", () =>
  Effect.gen(function* () {
    const { marked, notify } = yield* makeUsageExceeded(Effect.succeed(true))
    yield* Effect.all(Effect.replicate(notify(one), 100), { concurrency: "unbounded" })
    assert.deepStrictEqual(marked, [one])
    yield* notify(other)
    assert.deepStrictEqual(marked, [one, other])
    yield* TestClock.adjust("61 seconds")
    yield* notify(one)
    assert.deepStrictEqual(marked, [one, other, one])
  })
)

it.scoped.each([
  {
    what: "an outage",
    failure: new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })
  },
  { what: "a defect", failure: Effect.die(new Error("no such column")) }
])("ignores $what and retries with the next rejected send", ({ failure }) =>
  Effect.gen(function* () {
    const { marked, notify } = yield* makeUsageExceeded(failure)
    yield* notify(one)
    yield* TestClock.adjust("1 millis")
    yield* notify(one)
    assert.deepStrictEqual(marked, [one, one])
  })
)
