import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { AnalyticsRepoSql } from "@switchboard/store/analytics/AnalyticsRepoSql"
import { Array, DateTime, Effect, Layer } from "effect"
import { v4, v7 } from "uuid"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { accept, delivered, emptyQueue, Live as Queue, settle, take } from "../messages/QueueFixtures.js"
import { deliveryPeriods } from "./DeliveryPeriods.js"
import { receive } from "./RandomEvents.js"
import { range } from "./Ranges.js"

const Live = AnalyticsRepoSql.pipe(Layer.provideMerge(Queue))

const recently = Effect.map(DateTime.now, (now) => ({
  start: DateTime.subtract(now, { minutes: 1 }),
  end: DateTime.add(now, { minutes: 1 })
}))

layer(Live, { excludeTestServices: true })("AnalyticsRepo on PostgreSQL", (it) => {
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
      yield* emptyQueue
      yield* Effect.all(
        [
          ...Array.makeBy(10, () => accept(own, 5)),
          ...Array.makeBy(10, () => deliver),
          ...Array.makeBy(10, () => repo.mergeCounts)
        ],
        { concurrency: 8 }
      )
      const rest = v4()
      yield* settle(rest, yield* take(rest), delivered)
      for (let round = 0; round < 2; round++) {
        const [counts] = yield* repo.byChannel(own, yield* recently)
        assert.deepInclude(counts, { accepted: 50, sent: 50, delivered: 50, failed: 0, bounced: 0 })
        yield* repo.mergeCounts
      }
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM message_count_changes`, [])
      assert.deepStrictEqual(
        yield* sql`SELECT span, sum(one)::int AS timed FROM latency_histograms, unnest(messages) AS one
          WHERE organization_id = ${own} GROUP BY span ORDER BY span`,
        ["day", "hour", "month", "quarter"].map((span) => ({ span, timed: 50 }))
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
})
