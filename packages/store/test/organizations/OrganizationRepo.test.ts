import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Organization, OrganizationId } from "@switchboard/domain/organizations/Organization"
import { UpdateOrganization } from "@switchboard/domain/organizations/UpdateOrganization"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { v7 } from "uuid"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { TestDatabase, TestDatabaseUrl } from "../TestDatabase.js"

const Live = Layer.merge(MessageRepoSql, OrganizationRepoSql).pipe(
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestDatabaseUrl.Live)
)

const whole = (id: OrganizationId) => Effect.flatMap(OrganizationRepo, ({ findWhole }) => Effect.flatten(findWhole(id)))

const change = Schema.decodeUnknownSync(UpdateOrganization)

const update = (id: OrganizationId, given: object) =>
  Effect.flatMap(OrganizationRepo, (repo) => repo.update(id, change(given)))

/** As the store has it, and subscribers decode it. */
const decodeEvent = Schema.decodeUnknownSync(Schema.Struct({ subject_id: Schema.String, data: Organization }))

/** What an organization's events of a type tell, oldest first. */
const events = (id: OrganizationId, type: "organization.updated" | "organization.usage_exceeded") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT subject_id, data FROM events
      WHERE organization_id = ${id} AND type = ${type} ORDER BY id`
    return rows.map((row) => decodeEvent(row))
  })

const sends = (own: OrganizationId, count: number, given: Parameters<typeof newMessage>[1] = {}) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.all(
      Effect.replicate(
        Effect.flatMap(newMessage(own, given), (message) => repo.accept(message)),
        count
      ),
      { concurrency: "unbounded", mode: "either" }
    )
  )

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("OrganizationRepo on PostgreSQL", (it) => {
  it.effect("shows a tenant that the interface takes as it is", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const found = yield* whole(own)
      Schema.encodeSync(Organization)(found)
      assert.notProperty(found, "logo")
      assert.notProperty(found, "paymentCustomerId")
      assert.deepInclude(found, { id: own, slug: own, defaultCurrency: "EUR", timezone: "UTC", metadata: {} })
      assert.isTrue(
        Option.isNone(yield* Effect.flatMap(OrganizationRepo, (repo) => repo.findWhole(OrganizationId.make(v7()))))
      )
    })
  )

  it.effect("changes what is given, takes away by null, and tells what came of it", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const before = yield* whole(own)
      const given = {
        name: "Analytical Engines",
        slug: `engines-${own.slice(-12)}`,
        logo: "https://example.com/logo.png",
        defaultCurrency: "CHF",
        countryCode: "CH",
        timezone: "Europe/Zurich",
        billingEmail: "ada@example.com",
        metadata: { tier: { since: 1815, text: "ä\ud83d\ude00 '; --" }, list: [null, 1.5] }
      }
      const first = yield* Effect.flatten(update(own, given))
      assert.deepInclude(first, given)
      assert.isTrue(DateTime.greaterThan(first.updatedAt, before.updatedAt))
      assert.deepStrictEqual(yield* whole(own), first)

      const second = yield* Effect.flatten(update(own, { logo: null, metadata: {} }))
      assert.notProperty(second, "logo")
      const { logo: _, ...kept } = given
      assert.deepInclude(second, { ...kept, metadata: {} })

      const told = yield* events(own, "organization.updated")
      assert.deepStrictEqual(
        told.map(({ data }) => data),
        [first, second]
      )
      assert.deepStrictEqual(
        told.map(({ subject_id }) => subject_id),
        [own, own]
      )
      assert.deepInclude(yield* whole(other), { name: "Ada's", slug: other })
      assert.isEmpty(yield* events(other, "organization.updated"))
    })
  )

  it.effect("keeps a slug for one tenant, and tells of nothing that did not happen", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* makeOrganization(), yield* makeOrganization()]
      const slug = `wanted-${one.slice(-12)}`
      const results = yield* Effect.all([update(one, { slug, name: "Won" }), update(two, { slug, name: "Won" })], {
        concurrency: "unbounded",
        mode: "either"
      })
      assert.sameMembers(
        results.map((result) => (result._tag === "Left" ? result.left._tag : "changed")),
        ["changed", "ConflictError"]
      )
      const told = [...(yield* events(one, "organization.updated")), ...(yield* events(two, "organization.updated"))]
      assert.lengthOf(told, 1)
      const names = [(yield* whole(one)).name, (yield* whole(two)).name]
      assert.sameMembers(names, ["Won", "Ada's"])
      assert.isTrue(Option.isNone(yield* update(OrganizationId.make(v7()), { name: "Nobody" })))
    })
  )

  it.effect("counts exactly what concurrent sends used, and who took part", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      yield* Effect.all([sends(own, 40), sends(own, 10, { isTest: true }), sends(own, 10, { to: ["b@example.com"] })], {
        concurrency: "unbounded"
      })
      assert.deepInclude(yield* whole(own), {
        messagesUsed: 50,
        messagesUsedThisMonth: 50,
        emailUsed: 50,
        emailUsedThisMonth: 50,
        smsUsed: 0,
        participantsUsed: 3
      })
    })
  )

  it.effect("reads the counters of a month that is over as zero, and says when this one ends", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* sends(own, 3)
      yield* sql`UPDATE organization_usage SET month = month - interval '1 month' WHERE organization_id = ${own}`
      const turned = yield* whole(own)
      assert.deepInclude(turned, { messagesUsed: 3, messagesUsedThisMonth: 0, emailUsed: 3, emailUsedThisMonth: 0 })
      const now = yield* DateTime.now
      const next = DateTime.add(DateTime.startOf(now, "month"), { months: 1 })
      assert.strictEqual(DateTime.formatIso(turned.messagesResetAt), DateTime.formatIso(next))
      yield* sends(own, 1)
      assert.deepInclude(yield* whole(own), { messagesUsed: 4, messagesUsedThisMonth: 1 })
    })
  )

  it.effect("says when the month ends in UTC, whatever zone the database's clock shows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const { messagesResetAt } = yield* whole(own)
      const elsewhere = yield* sql.withTransaction(
        Effect.zipRight(sql`SET LOCAL TimeZone = 'Pacific/Kiritimati'`, whole(own))
      )
      assert.deepStrictEqual(elsewhere.messagesResetAt, messagesResetAt)
    })
  )

  it.effect("tells once a month that a plan was exceeded, whoever sees it first", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* OrganizationRepo
      const own = yield* makeOrganization("free")
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 1000 WHERE organization_id = ${own}`
      const [refused] = yield* sends(own, 1)
      assert.strictEqual(refused?._tag === "Left" ? refused.left._tag : "accepted", "PaymentRequiredError")

      const marks = Effect.all(Effect.replicate(repo.markExceeded(own), 8), { concurrency: "unbounded" })
      assert.lengthOf((yield* marks).filter(Boolean), 1)
      const [told, ...more] = yield* events(own, "organization.usage_exceeded")
      assert.isEmpty(more)
      assert.deepInclude(told?.data, { id: own, plan: "free", messagesUsedThisMonth: 1_000 })

      yield* sql`UPDATE organization_usage SET exceeded_month = exceeded_month - interval '1 month', month = month - interval '1 month'
        WHERE organization_id = ${own}`
      assert.lengthOf((yield* marks).filter(Boolean), 1)
      assert.lengthOf(yield* events(own, "organization.usage_exceeded"), 2)
    })
  )

  it.effect("tells of a plan that an operator sets", () =>
    Effect.gen(function* () {
      const repo = yield* OrganizationRepo
      const own = yield* makeOrganization("free")
      assert.isTrue(yield* repo.setPlan(own, "growth"))
      const told = yield* events(own, "organization.updated")
      assert.deepStrictEqual(
        told.map(({ data }) => data.plan),
        ["growth"]
      )
      assert.isFalse(yield* repo.setPlan(OrganizationId.make(v7()), "growth"))
    })
  )
})
