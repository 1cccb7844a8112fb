import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Organization, OrganizationId, UpdateOrganization } from "@switchboard/domain/organizations/Organization"
import { Participant, ParticipantId } from "@switchboard/domain/participants/Participant"
import { ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { newConversation } from "@switchboard/services/conversations/Conversations"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { v7 } from "uuid"
import { receive } from "../email/receiving/MailFixtures.js"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { storedEvents } from "../StoredRows.js"
import { StoreLive } from "../StoreLive.js"

const find = (id: OrganizationId) =>
  Effect.flatMap(OrganizationRepo, ({ findWithUsage }) => Effect.flatten(findWithUsage(id)))

const change = Schema.decodeUnknownSync(UpdateOrganization)

const update = (id: OrganizationId, fields: object) =>
  Effect.flatMap(OrganizationRepo, (repo) => repo.update(id, change(fields)))

/** As it is stored, and as subscribers decode it. */
const decodeEvent = Schema.decodeUnknownSync(Schema.Struct({ subject: Schema.String, data: Organization }))

/** The data of an organization's events of a type, oldest first. */
const events = (id: OrganizationId, type: "organization.updated" | "organization.usage_exceeded") =>
  Effect.map(storedEvents(id, type), (rows) => rows.map((row) => decodeEvent(row)))

const sends = (own: OrganizationId, count: number, fields: Parameters<typeof newMessage>[1] = {}) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.all(
      Effect.replicate(
        Effect.flatMap(newMessage(own, fields), (message) => repo.accept(message)),
        count
      ),
      { concurrency: "unbounded", mode: "either" }
    )
  )

const Live = ReceivedMessages.Default.pipe(Layer.provide(objectsInMemory()), Layer.provideMerge(StoreLive))

layer(Live, { excludeTestServices: true })("OrganizationRepo on PostgreSQL", (it) => {
  it.effect("returns an organization that encodes", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const found = yield* find(own)
      Schema.encodeSync(Organization)(found)
      assert.notProperty(found, "logo")
      assert.notProperty(found, "paymentCustomerId")
      assert.deepInclude(found, { id: own, slug: own, defaultCurrency: "EUR", timezone: "UTC", metadata: {} })
      assert.isTrue(
        Option.isNone(yield* Effect.flatMap(OrganizationRepo, (repo) => repo.findWithUsage(OrganizationId.make(v7()))))
      )
    })
  )

  it.effect("counts participants and conversations without reading them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const counts = Effect.map(find(own), ({ conversationsUsed, participantsUsed }) => [
        participantsUsed,
        conversationsUsed
      ])
      assert.deepStrictEqual(yield* counts, [0, 0])
      yield* sends(own, 2, { to: ["ada@example.com", "bob@example.com"] })
      yield* receive(own)
      assert.deepStrictEqual(yield* counts, [4, 1])

      const participants = yield* ParticipantRepo
      const { createdAt } = yield* find(own)
      const id = ParticipantId.make(v7())
      const eve = { id, organizationId: own, name: "Eve", type: "contact", createdAt, updatedAt: createdAt } as const
      yield* participants.insert(new Participant({ ...eve, channelIdentities: {} }, { disableValidation: true }))
      const conversation = yield* newConversation(own, { channels: ["email"] })
      const conversations = yield* ConversationRepo
      yield* conversations.insert({ conversation, eventTypes: ["conversation.created"] }, [])
      assert.deepStrictEqual(yield* counts, [5, 2])
      assert.isTrue(yield* participants.remove(own, id))
      assert.deepStrictEqual(yield* counts, [4, 2])

      const scans = sql`SELECT sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int AS scans
        FROM pg_stat_xact_user_tables WHERE relname IN ('participants', 'conversations')`
      // The counts of the connection include earlier transactions.
      const [before, , after] = yield* sql.withTransaction(Effect.all([scans, find(own), scans]))
      assert.deepStrictEqual(after, before)
    })
  )

  it.effect("changes the given fields, removes fields by null, and writes an event with the result", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const before = yield* find(own)
      const fields = {
        name: "Analytical Engines",
        slug: `engines-${own.slice(-12)}`,
        logo: "https://example.com/logo.png",
        defaultCurrency: "CHF",
        countryCode: "CH",
        timezone: "Europe/Zurich",
        billingEmail: "ada@example.com",
        metadata: { tier: { since: 1815, text: "ä\ud83d\ude00 '; --" }, list: [null, 1.5] }
      }
      const first = yield* Effect.flatten(update(own, fields))
      assert.deepInclude(first, fields)
      assert.isTrue(DateTime.greaterThan(first.updatedAt, before.updatedAt))
      assert.deepStrictEqual(yield* find(own), first)

      const second = yield* Effect.flatten(update(own, { logo: null, metadata: {} }))
      assert.notProperty(second, "logo")
      const { logo: _, ...others } = fields
      assert.deepInclude(second, { ...others, metadata: {} })

      const updates = yield* events(own, "organization.updated")
      assert.deepStrictEqual(
        updates.map(({ data }) => data),
        [first, second]
      )
      assert.deepStrictEqual(
        updates.map(({ subject }) => subject),
        [own, own]
      )
      assert.deepInclude(yield* find(other), { name: "Ada's", slug: other })
      assert.isEmpty(yield* events(other, "organization.updated"))
    })
  )

  it.effect("keeps slugs unique, and writes no event for a rejected change", () =>
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
      const updates = [...(yield* events(one, "organization.updated")), ...(yield* events(two, "organization.updated"))]
      assert.lengthOf(updates, 1)
      const names = [(yield* find(one)).name, (yield* find(two)).name]
      assert.sameMembers(names, ["Won", "Ada's"])
      assert.isTrue(Option.isNone(yield* update(OrganizationId.make(v7()), { name: "Unknown" })))
    })
  )

  it.effect("counts concurrent sends and participants exactly", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      yield* Effect.all([sends(own, 40), sends(own, 10, { isTest: true }), sends(own, 10, { to: ["b@example.com"] })], {
        concurrency: "unbounded"
      })
      assert.deepInclude(yield* find(own), {
        messagesUsed: 50,
        messagesUsedThisMonth: 50,
        emailUsed: 50,
        emailUsedThisMonth: 50,
        smsUsed: 0,
        participantsUsed: 3
      })
    })
  )

  it.effect("reads the counters of a past month as zero, and returns the start of the next month", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* sends(own, 3)
      yield* sql`UPDATE organization_usage SET month = month - interval '1 month' WHERE organization_id = ${own}`
      const turned = yield* find(own)
      assert.deepInclude(turned, { messagesUsed: 3, messagesUsedThisMonth: 0, emailUsed: 3, emailUsedThisMonth: 0 })
      const now = yield* DateTime.now
      const next = DateTime.add(DateTime.startOf(now, "month"), { months: 1 })
      assert.strictEqual(DateTime.formatIso(turned.messagesResetAt), DateTime.formatIso(next))
      yield* sends(own, 1)
      assert.deepInclude(yield* find(own), { messagesUsed: 4, messagesUsedThisMonth: 1 })
    })
  )

  it.effect("returns the start of the next month in UTC, independent of the database's time zone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const { messagesResetAt } = yield* find(own)
      const elsewhere = yield* sql.withTransaction(
        Effect.zipRight(sql`SET LOCAL TimeZone = 'Pacific/Kiritimati'`, find(own))
      )
      assert.deepStrictEqual(elsewhere.messagesResetAt, messagesResetAt)
    })
  )

  it.effect("writes one event per month when a plan is exceeded, also for concurrent requests", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* OrganizationRepo
      const own = yield* makeOrganization("free")
      yield* sql`UPDATE organization_usage SET messages_used_this_month = 1000 WHERE organization_id = ${own}`
      const [refused] = yield* sends(own, 1)
      assert.strictEqual(refused?._tag === "Left" ? refused.left._tag : "accepted", "PaymentRequiredError")

      const marks = Effect.all(Effect.replicate(repo.markExceeded(own), 8), { concurrency: "unbounded" })
      assert.lengthOf((yield* marks).filter(Boolean), 1)
      const [event, ...more] = yield* events(own, "organization.usage_exceeded")
      assert.isEmpty(more)
      assert.deepInclude(event?.data, { id: own, plan: "free", messagesUsedThisMonth: 1_000 })

      yield* sql`UPDATE organization_usage SET exceeded_month = exceeded_month - interval '1 month', month = month - interval '1 month'
        WHERE organization_id = ${own}`
      assert.lengthOf((yield* marks).filter(Boolean), 1)
      assert.lengthOf(yield* events(own, "organization.usage_exceeded"), 2)
    })
  )

  it.effect("writes an event when an operator sets the plan", () =>
    Effect.gen(function* () {
      const repo = yield* OrganizationRepo
      const own = yield* makeOrganization("free")
      assert.isTrue(yield* repo.setPlan(own, "growth"))
      const updates = yield* events(own, "organization.updated")
      assert.deepStrictEqual(
        updates.map(({ data }) => data.plan),
        ["growth"]
      )
      assert.isFalse(yield* repo.setPlan(OrganizationId.make(v7()), "growth"))
    })
  )
})
