import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { AnalyticsRepoSql } from "@switchboard/store/analytics/AnalyticsRepoSql"
import { ReceivedMessageRepoSql } from "@switchboard/store/email/receiving/ReceivedMessageRepoSql"
import { Array, DateTime, Effect, Layer } from "effect"
import { v4, v7 } from "uuid"
import { receive as receiveMail } from "../email/receiving/MailFixtures.js"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { accept, delivered, Live as Queue, settle, take } from "../messages/QueueFixtures.js"
import { deliveryPeriods } from "./DeliveryPeriods.js"
import { receive } from "./RandomEvents.js"

const Live = Layer.merge(
  AnalyticsRepoSql,
  ReceivedMessages.Default.pipe(Layer.provide(Layer.merge(objectsInMemory(), ReceivedMessageRepoSql)))
).pipe(Layer.provideMerge(Queue))

const recently = Effect.map(DateTime.now, (now) => ({
  start: DateTime.subtract(now, { minutes: 1 }),
  end: DateTime.add(now, { minutes: 1 })
}))

const range = (start: string, end: string) => ({ start: DateTime.unsafeMake(start), end: DateTime.unsafeMake(end) })

/** Creates a message that was accepted at an instant and sent a second later. */
const messageOf = (organization: OrganizationId, at: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const msecs = Date.parse(at)
    const id = v7({ msecs })
    yield* sql`INSERT INTO messages (organization_id, id, from_participant_id, to_participant_ids, channel, direction,
        content, addressing, cost, currency, max_retries, tags, categories, is_test, is_internal, is_automated, created_at)
      VALUES (${organization}, ${id}, ${v4()}, ARRAY[${v4()}]::uuid[], 'email', 'outbound', '{}', '{}', '0.0004', 'EUR', 8,
        '{}', '{}', false, false, false, ${new Date(msecs)})`
    for (const [type, after] of [
      ["created", 0],
      ["sent", 1_000]
    ] as const) {
      yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at) VALUES (${organization},
        ${v7({ msecs: msecs + after + 5 })}, ${`message.${type}`}, ${id}, '{}', ${new Date(msecs + after)})`
    }
  })

const inZone = (organization: OrganizationId, timezone: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE organizations SET timezone = ${timezone} WHERE id = ${organization}`
  )

/** Sets the country and region of a participant, by address. */
const setLocation = (organization: OrganizationId, address: string, country: string | null, region: string | null) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ id: string }>`UPDATE participants AS p SET country = ${country}, region = ${region}
      FROM participant_addresses AS a WHERE p.organization_id = ${organization} AND a.organization_id = ${organization}
        AND a.participant_id = p.id AND a.address = ${address} RETURNING p.id`
  )

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("AnalyticsRepo on PostgreSQL", (it) => {
  it.effect("returns only the organization's own data", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      yield* accept(own, 3)
      yield* receive(own, v7())
      yield* settle("worker", yield* take("worker"), delivered)
      const now = yield* recently
      // Complete quarter hours, and parts of them.
      const wide = { start: DateTime.subtract(now.start, { hours: 1 }), end: DateTime.add(now.end, { hours: 1 }) }
      for (const gathered of [false, true]) {
        if (gathered) yield* repo.mergeCounts
        for (const range of [now, wide]) {
          assert.deepInclude((yield* repo.byChannel(own, range))[0], { accepted: 3, received: 1 })
          assert.deepStrictEqual(yield* repo.byChannel(other, range), [])
          assert.deepStrictEqual(yield* repo.byHourOfDay(other, range), [])
          assert.deepStrictEqual(yield* repo.topParticipants(other, range, 10), [])
          assert.deepStrictEqual(yield* repo.recipients(other, range), [])
          assert.strictEqual(yield* repo.activeConversations(other, range), 0)
          const { totals } = yield* deliveryPeriods(other, range, "hour")
          assert.deepStrictEqual(new Set(Object.values(totals)), new Set([0]))
        }
      }
    })
  )

  it.effect("counts each event once while workers merge counts and new events arrive", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const deliver = Effect.gen(function* () {
        const worker = v4()
        yield* settle(worker, yield* take(worker, { limit: 5 }), delivered)
      })
      yield* Effect.all(
        [
          ...Array.makeBy(20, () => accept(own, 5)),
          ...Array.makeBy(20, () => deliver),
          ...Array.makeBy(20, () => repo.mergeCounts)
        ],
        { concurrency: 8 }
      )
      const rest = v4()
      yield* settle(rest, yield* take(rest), delivered)
      for (let round = 0; round < 2; round++) {
        const [counts] = yield* repo.byChannel(own, yield* recently)
        assert.deepInclude(counts, { accepted: 100, sent: 100, delivered: 100, failed: 0, bounced: 0 })
        yield* repo.mergeCounts
      }
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM message_count_changes`, [])
      assert.deepStrictEqual(
        yield* sql`SELECT span, sum(one)::int AS timed FROM latency_histograms, unnest(messages) AS one
          WHERE organization_id = ${own} GROUP BY span ORDER BY span`,
        ["day", "hour", "month", "quarter"].map((span) => ({ span, timed: 100 }))
      )
    })
  )

  it.effect("counts inbound messages as received only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const id = yield* receive(own, null)
      yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
        VALUES (${own}, ${v7()}, 'message.delivered', ${id}, '{}', now())`
      const [counts, ...others] = yield* repo.byChannel(own, yield* recently)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(counts, { received: 1, accepted: 0, delivered: 0 })
    })
  )

  it.effect("keeps the counts of a deleted message", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const [first = assert.fail("nothing was accepted"), second] = yield* accept(own, 2)
      yield* settle("worker", yield* take("worker"), delivered)
      const before = yield* repo.byChannel(own, yield* recently)
      assert.isTrue(yield* Effect.flatMap(MessageRepo, ({ remove }) => remove(own, first.id)))
      assert.isDefined(second)
      assert.deepStrictEqual(yield* repo.byChannel(own, yield* recently), before)
    })
  )

  it.effect("returns both hours at the end of daylight saving time, and a day of 25 hours as one", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* inZone(own, "Europe/Berlin")
      for (const at of [
        "2026-10-24T21:59:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T22:30:00Z"
      ]) {
        yield* messageOf(own, at)
      }
      const night = range("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")
      const hours = yield* deliveryPeriods(own, night, "hour")
      assert.strictEqual(hours.series.length, 25)
      assert.deepStrictEqual(
        hours.series.filter(({ sent }) => sent > 0).map(({ timestamp }) => DateTime.formatIso(timestamp)),
        ["2026-10-25T00:00:00.000Z", "2026-10-25T01:00:00.000Z", "2026-10-25T22:00:00.000Z"]
      )
      const days = yield* deliveryPeriods(own, night, "day")
      assert.deepStrictEqual(days, {
        series: [
          {
            timestamp: DateTime.unsafeMake("2026-10-24T22:00:00Z"),
            sent: 3,
            delivered: 0,
            failed: 0,
            bounced: 0,
            p50Ms: 992,
            p95Ms: 992
          }
        ],
        totals: { sent: 3, delivered: 0, failed: 0, bounced: 0, p50Ms: 992, p95Ms: 992 }
      })
      const [second, last] = (yield* repo.byHourOfDay(own, night)).toSorted((one, other) => one.hour - other.hour)
      assert.deepInclude(second, { hour: 2, count: 2 })
      assert.deepInclude(last, { hour: 23, count: 1 })
    })
  )

  it.effect("starts days at the organization's midnight in a time zone with quarter hours", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      yield* inZone(own, "Asia/Kathmandu")
      yield* messageOf(own, "2026-11-10T18:14:58.999Z")
      yield* messageOf(own, "2026-11-10T18:15:00.000Z")
      const { series } = yield* deliveryPeriods(own, range("2026-11-10T00:00:00Z", "2026-11-11T00:00:00Z"), "day")
      assert.deepStrictEqual(
        series.map(({ sent, timestamp }) => [DateTime.formatIso(timestamp), sent]),
        [
          ["2026-11-09T18:15:00.000Z", 1],
          ["2026-11-10T18:15:00.000Z", 1]
        ]
      )
    })
  )

  it.effect("returns the participants with the most messages, without the sender", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const messages = yield* MessageRepo
      const own = yield* makeOrganization()
      const sent = []
      for (const to of [["ada@example.com"], ["ada@example.com", "bob@example.com"], ["ada@example.com"]]) {
        sent.push((yield* messages.accept(yield* newMessage(own, { to }))).message)
      }
      const last = sent.at(-1)
      const top = yield* repo.topParticipants(own, yield* recently, 10)
      assert.deepStrictEqual(
        top.map(({ messageCount, name }) => [name, messageCount]),
        [
          ["ada@example.com", 3],
          ["bob@example.com", 1]
        ]
      )
      assert.strictEqual(top[0]?.participantId, last?.toParticipantIds[0])
      assert.deepStrictEqual(top[0]?.lastMessageAt, last?.createdAt)
      assert.strictEqual((yield* repo.topParticipants(own, yield* recently, 1)).length, 1)
      const earlier = range("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
      assert.deepStrictEqual(yield* repo.topParticipants(own, earlier, 10), [])
    })
  )

  it.effect("returns the locations of recipients, once per message", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const messages = yield* MessageRepo
      const own = yield* makeOrganization()
      for (const to of [
        ["ada@example.com", "bob@example.com"],
        ["ada@example.com", "eve@example.com"]
      ]) {
        yield* messages.accept(yield* newMessage(own, { to }))
      }
      // The sender of an inbound message is not a recipient.
      yield* receive(own, null)
      yield* setLocation(own, "ada@example.com", "DE", "Berlin")
      const [bob] = yield* setLocation(own, "bob@example.com", null, null)
      yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
        VALUES (${own}, 'phone', '+33612345678', ${bob?.id ?? ""})`
      yield* repo.mergeCounts
      assert.sameDeepMembers(
        [...(yield* repo.recipients(own, yield* recently))],
        [
          { country: "DE", region: "Berlin", count: 2 },
          { country: "FR", region: null, count: 1 },
          { country: null, region: null, count: 1 }
        ]
      )
    })
  )

  it.effect("counts inbound messages with a response, and the response time", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const messages = yield* MessageRepo
      const own = yield* makeOrganization()
      const receivedAt = DateTime.subtract(yield* DateTime.now, { seconds: 40 })
      const id = yield* receiveMail(own, {}, { receivedAt })
      const mail = yield* Effect.flatten(messages.find(own, id))
      for (let answers = 0; answers < 2; answers++) {
        const { facts, ...message } = yield* newMessage(own)
        yield* messages.accept({ ...message, facts: { ...facts, conversationId: mail.conversationId } })
      }
      const [counts = assert.fail("nothing was counted")] = yield* repo.byChannel(own, yield* recently)
      assert.deepInclude(counts, { accepted: 2, received: 1, delivered: 0, responses: 1 })
      assert.isAtLeast(counts.responseMillis, 40_000)
      assert.isBelow(counts.responseMillis, 60_000)
      assert.strictEqual(yield* repo.activeConversations(own, yield* recently), 1)
      const [ada] = yield* repo.topParticipants(own, yield* recently, 10)
      assert.deepInclude(ada, { messageCount: 3 })
    })
  )

  it.effect("counts a conversation with messages in the range once", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const conversation = v7()
      for (const one of [conversation, conversation, v7(), null]) yield* receive(own, one)
      assert.strictEqual(yield* repo.activeConversations(own, yield* recently), 2)
      const earlier = range("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
      assert.strictEqual(yield* repo.activeConversations(own, earlier), 0)
    })
  )
})
