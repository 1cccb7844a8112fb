import { assert, describe, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Pause, PausedDomain, PauseRepo, PauseState, PauseTarget } from "@switchboard/services/queues/PauseRepo"
import { Pauses } from "@switchboard/services/queues/Pauses"
import { Data, DateTime, Effect, Fiber, Layer, Option, Ref, TestClock } from "effect"

const organizationId = OrganizationId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441")
const pausedAt = DateTime.unsafeMake("2026-11-23T10:00:00Z")

const stateOf = (...targets: ReadonlyArray<PauseTarget>) =>
  new PauseState({
    isHeld: false,
    endedBefore: Option.none(),
    pauses: Data.array(targets.map((target) => new Pause({ target, pausedAt }))),
    domains: []
  })

const held = new PauseState({ isHeld: true, endedBefore: Option.none(), pauses: [], domains: [] })
const outage = new ServiceUnavailableError({ message: "down", retryAfterSeconds: 1 })

/** Runs `use` with the pauses of a process, and a function that changes the stored state; undefined is an outage. */
const withPauses = <A, E>(
  use: (pauses: Pauses, change: (state: PauseState | undefined) => Effect.Effect<void>) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const stored = yield* Ref.make<PauseState | undefined>(undefined)
    const repo = Layer.mock(PauseRepo, {
      state: Effect.flatMap(stored, (state) => (state === undefined ? Effect.fail(outage) : Effect.succeed(state)))
    })
    const change = (state: PauseState | undefined) =>
      Effect.zipRight(Ref.set(stored, state), TestClock.adjust("1 second"))
    return yield* Effect.flatMap(Pauses, (pauses) => use(pauses, change)).pipe(
      Effect.provide(Layer.provide(Pauses.Default, repo))
    )
  })

/** Whether the effect still waits. */
const isWaiting = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) => Effect.map(fiber.poll, Option.isNone)

describe("Pauses", () => {
  it.effect("stops every queue until the state was read once, and while the copy is held", () =>
    withPauses(({ ofHold, ofMail, ofWebhooks }, change) =>
      Effect.gen(function* () {
        const waits = yield* Effect.forEach([ofMail, ofWebhooks, ofHold], ({ pausedOwners }) =>
          Effect.fork(pausedOwners)
        )
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* Effect.forEach(waits, isWaiting), [true, true, true])
        yield* change(held)
        assert.deepStrictEqual(yield* Effect.forEach(waits, isWaiting), [true, true, true])
        assert.isTrue((yield* ofHold.isPaused)("anyone"))
        yield* change(stateOf())
        assert.deepStrictEqual(yield* Effect.forEach(waits, Fiber.join), [[], [], []])
      })
    )
  )

  it.effect("stops the queues of a paused channel, and no other", () =>
    withPauses(({ ofHold, ofMail, ofWebhooks }, change) =>
      Effect.gen(function* () {
        yield* change(stateOf(PauseTarget.Channel({ channel: "email" })))
        const mail = yield* Effect.fork(ofMail.pausedOwners)
        assert.deepStrictEqual(yield* ofWebhooks.pausedOwners, [])
        assert.deepStrictEqual(yield* ofHold.pausedOwners, [])
        assert.isTrue(yield* isWaiting(mail))
        yield* change(stateOf(PauseTarget.Channel({ channel: "webhook" })))
        assert.deepStrictEqual(yield* Fiber.join(mail), [])
        assert.isTrue((yield* ofWebhooks.isPaused)("endpoint"))
      })
    )
  )

  it.effect("pauses the mail of an organization, also in an outage of the database", () =>
    withPauses(({ ofMail, ofWebhooks }, change) =>
      Effect.gen(function* () {
        yield* change(stateOf(PauseTarget.Organization({ organizationId })))
        yield* change(undefined)
        assert.deepStrictEqual(yield* ofMail.pausedOwners, [organizationId])
        const isPaused = yield* ofMail.isPaused
        assert.deepStrictEqual([isPaused(organizationId), isPaused("another")], [true, false])
        assert.deepStrictEqual(yield* ofWebhooks.pausedOwners, [])
        assert.isFalse((yield* ofWebhooks.isPaused)(organizationId))
      })
    )
  )

  it.effect("pauses the mail of an organization from a domain, and no other", () =>
    withPauses(({ ofMail, ofTexts }, change) =>
      Effect.gen(function* () {
        const paused = new PausedDomain({
          organizationId,
          id: EmailDomainId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19442"),
          domain: "shop.test",
          pausedAt
        })
        yield* change(new PauseState({ ...stateOf(), domains: Data.array([paused]) }))
        assert.deepStrictEqual(yield* ofMail.pausedDomains, [paused])
        assert.deepStrictEqual(yield* ofTexts.pausedDomains, [])
        assert.deepStrictEqual(yield* ofMail.pausedOwners, [])
        const isPaused = yield* ofMail.isPaused
        assert.deepStrictEqual(
          [
            isPaused(organizationId, () => "shop.test"),
            isPaused(organizationId, () => "other.test"),
            isPaused(organizationId),
            isPaused("another", () => "shop.test")
          ],
          [true, false, false, false]
        )
      })
    )
  )
})
