import { SqlClient } from "@effect/sql"
import { assert, describe, it, layer } from "@effect/vitest"
import { type PauseBounds, requiredPause } from "@switchboard/domain/email/domains/DomainPause"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainPauseRepo } from "@switchboard/services/email/domains/DomainPauseRepo"
import { DomainPauseBounds, DomainPauses, pauseDomains } from "@switchboard/services/email/domains/DomainPauses"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { eventTypes } from "@switchboard/store/testing/StoredRows"
import { DateTime, Deferred, Effect, Layer, Option, Ref, TestClock } from "effect"
import { v7 } from "uuid"
import { dnsInMemory } from "./DnsInMemory.js"
import { domainsLive } from "./DomainsLive.js"

const start = DateTime.unsafeMake("2026-11-20T09:40:00.000Z")
const bounds: PauseBounds = { bounceRate: Option.some(0.1), complaintRate: Option.some(0.005), minMessages: 500 }
const off: PauseBounds = { ...bounds, bounceRate: Option.none(), complaintRate: Option.none() }

describe("The pause that figures require", () => {
  const reason = (sent: number, bounced: number, complained: number, by = bounds) =>
    Option.getOrNull(Option.map(requiredPause({ sent, bounced, complained }, by, start), (pause) => pause.reason))

  it("is that of bounces or complaints from the bound on, with enough messages", () => {
    assert.deepStrictEqual([reason(500, 49, 0), reason(500, 50, 0)], [null, "bounces"])
    assert.deepStrictEqual([reason(1000, 0, 4), reason(1000, 0, 5)], [null, "complaints"])
    assert.strictEqual(reason(1000, 100, 5), "bounces")
    assert.strictEqual(reason(499, 499, 499), null)
    assert.strictEqual(reason(0, 0, 0, { ...bounds, minMessages: 0 }), null)
  })

  it("is that of exactly the bound, of which a product of the messages could be rounded up", () => {
    for (let percent = 1; percent <= 100; percent++) {
      const by = { ...bounds, minMessages: 100, bounceRate: Option.some(percent / 100) }
      assert.deepStrictEqual([reason(100, percent - 1, 0, by), reason(100, percent, 0, by)], [null, "bounces"])
    }
  })

  it("is none for a rate that is off", () => {
    assert.strictEqual(reason(1000, 1000, 0, { ...bounds, bounceRate: Option.none() }), null)
    assert.strictEqual(reason(1000, 1000, 1000, off), null)
  })

  it("has the figures", () => {
    const pause = requiredPause({ sent: 1000, bounced: 120, complained: 0 }, bounds, start)
    assert.deepStrictEqual(Option.getOrNull(pause), {
      reason: "bounces",
      rate: 0.12,
      bound: 0.1,
      messages: 1000,
      pausedAt: start
    })
  })
})

/** Adds a domain with a name of its own. */
const makeDomain = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(start))
  const organization = yield* makeOrganization()
  const name = `d${v7().replaceAll("-", "")}.test`
  const { id } = yield* Effect.flatMap(Domains, ({ create }) => create(organization, { domain: name }))
  return { organization, name, id }
})

/** Adds figures of mail that was sent some hours ago. */
const sent = Effect.fnUntraced(function* (
  { name, organization }: { readonly name: string; readonly organization: OrganizationId },
  hoursAgo: number,
  [messages, bounced, complained]: readonly [number, number, number]
) {
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { hours: hoursAgo }))
  yield* sql`INSERT INTO rollup_domains VALUES
    (${organization}, ${name}, date_bin('15 minutes', ${at}, 'epoch'), ${messages}, ${bounced}, ${complained})`
})

const round = Effect.flatMap(pauseDomains, (job) => job.round)

/** The rounds of several processes, which all read the figures before one of them pauses a domain. */
const concurrentRounds = Effect.fnUntraced(function* (count: number) {
  const repo = yield* DomainPauseRepo
  const reads = yield* Ref.make(0)
  const allRead = yield* Deferred.make<void>()
  const arrive = Effect.flatMap(
    Ref.updateAndGet(reads, (before) => before + 1),
    (arrived) => (arrived === count ? Deferred.succeed(allRead, undefined) : Deferred.await(allRead))
  )
  const figures: typeof repo.figures = (since, minMessages) => Effect.zipLeft(repo.figures(since, minMessages), arrive)
  yield* Effect.replicateEffect(round, count, { concurrency: "unbounded", discard: true }).pipe(
    Effect.provideService(DomainPauseRepo, { ...repo, figures })
  )
})

const reasonOf = ({ id, organization }: Effect.Effect.Success<typeof makeDomain>) =>
  Effect.flatMap(Domains, ({ get }) => Effect.map(get(organization, id), ({ pause }) => pause?.reason ?? null))

const Live = DomainPauses.Default.pipe(
  Layer.provideMerge(domainsLive(dnsInMemory().layer)),
  Layer.provideMerge(Layer.succeed(DomainPauseBounds, bounds))
)

layer(Live)("DomainPauses", (it) => {
  it.effect("pauses a domain once, when several processes evaluate it, by the mail of the last 24 hours", () =>
    Effect.gen(function* () {
      const { resume } = yield* DomainPauses
      const own = yield* makeDomain
      const other = yield* makeDomain
      const earlier = yield* makeDomain
      yield* sent(own, 1, [600, 60, 0])
      yield* sent(other, 1, [600, 59, 2])
      yield* sent(earlier, 25, [600, 600, 600])
      yield* sent(earlier, 1, [499, 499, 0])
      yield* concurrentRounds(3)
      assert.deepStrictEqual(yield* Effect.forEach([own, other, earlier], reasonOf), ["bounces", null, null])
      assert.deepStrictEqual(yield* eventTypes(own.organization), ["email_domain.created", "email_domain.paused"])

      yield* resume(own.organization, own.id)
      yield* round
      assert.isNull(yield* reasonOf(own))
      // Late bounces of mail from before the pause.
      yield* TestClock.adjust("1 hour")
      yield* sent(own, 2, [0, 600, 0])
      yield* sent(own, 0, [600, 0, 3])
      yield* round
      assert.strictEqual(yield* reasonOf(own), "complaints")
      assert.deepStrictEqual(yield* eventTypes(own.organization), [
        "email_domain.created",
        "email_domain.paused",
        "email_domain.resumed",
        "email_domain.paused"
      ])
    })
  )

  it.effect("pauses no domain if both rates are off, and deletes old figures", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeDomain
      yield* sent(own, 49, [600, 600, 600])
      yield* sent(own, 1, [600, 600, 600])
      yield* Effect.provideService(round, DomainPauseBounds, off)
      assert.isNull(yield* reasonOf(own))
      assert.lengthOf(yield* sql`SELECT FROM rollup_domains WHERE organization_id = ${own.organization}`, 1)
    })
  )

  it.effect("pauses and resumes by requests, for the own organization", () =>
    Effect.gen(function* () {
      const { pause, resume } = yield* DomainPauses
      const own = yield* makeDomain
      const other = yield* makeDomain
      const tags = Effect.map(
        Effect.forEach(
          [
            resume(own.organization, own.id),
            pause(other.organization, own.id),
            pause(own.organization, own.id),
            pause(own.organization, own.id),
            resume(other.organization, own.id)
          ],
          Effect.either
        ),
        (results) => results.map((result) => (result._tag === "Right" ? "ok" : result.left._tag))
      )
      assert.deepStrictEqual(yield* tags, [
        "ConflictError",
        "ResourceNotFoundError",
        "ok",
        "ConflictError",
        "ResourceNotFoundError"
      ])
      assert.strictEqual(yield* reasonOf(own), "manual")
      assert.isUndefined((yield* resume(own.organization, own.id)).pause)
    })
  )
})
