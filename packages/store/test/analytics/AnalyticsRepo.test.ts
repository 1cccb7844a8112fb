import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { DateTime, Effect } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { accept, delivered, emptyQueue, settle, take } from "../messages/QueueFixtures.js"
import { StoreLive } from "../StoreLive.js"
import { deliveryPeriods } from "./DeliveryPeriods.js"
import { receive } from "./RandomEvents.js"

const recently = Effect.map(DateTime.now, (now) => ({
  start: DateTime.subtract(now, { minutes: 1 }),
  end: DateTime.add(now, { minutes: 1 })
}))

layer(StoreLive, { excludeTestServices: true })("AnalyticsRepo on PostgreSQL", (it) => {
  it.effect("returns only the organization's own data, and counts its inbound messages as received only", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const sql = yield* SqlClient.SqlClient
      const [own, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      yield* emptyQueue
      yield* accept(own, 3)
      yield* settle("worker", yield* take("worker"), delivered)
      const received = yield* receive(own, v7())
      yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
        VALUES (${own}, ${v7()}, 'message.delivered', ${received}, '{}', now())`
      const now = yield* recently
      // Complete quarter hours, and parts of them.
      const wide = { start: DateTime.subtract(now.start, { hours: 1 }), end: DateTime.add(now.end, { hours: 1 }) }
      yield* (yield* RollupRepo).project
      for (const range of [now, wide]) {
        const [counts, ...others] = yield* repo.byChannel(own, range)
        assert.deepInclude(counts, { accepted: 3, received: 1, sent: 3, delivered: 3 })
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual(yield* repo.byChannel(other, range), [])
        assert.deepStrictEqual(yield* repo.byHourOfDay(other, range), [])
        assert.deepStrictEqual(yield* repo.topParticipants(other, range, 10), [])
        assert.deepStrictEqual(yield* repo.recipients(other, range), [])
        assert.strictEqual(yield* repo.activeConversations(other, range), 0)
        const { totals } = yield* deliveryPeriods(other, range, "hour")
        assert.deepStrictEqual(new Set(Object.values(totals)), new Set([0]))
      }
    })
  )

  it.effect("counts the conversations of the messages that are stored now", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const [first, second] = [v7(), v7()]
      yield* receive(own, null)
      const ids = yield* Effect.forEach([first, first, second], (conversation) => receive(own, conversation))
      const range = yield* recently
      const count = repo.activeConversations(own, range)
      assert.strictEqual(yield* count, 2)
      const move = (id: string | undefined, conversation: string) =>
        sql`UPDATE messages SET conversation_id = ${conversation}::uuid WHERE organization_id = ${own} AND id = ${id}`
      yield* move(ids[2], first)
      assert.strictEqual(yield* count, 1)
      yield* move(ids[1], second)
      assert.strictEqual(yield* count, 2)
      yield* sql`DELETE FROM messages WHERE organization_id = ${own} AND id = ${ids[1]}`
      assert.strictEqual(yield* count, 1)
    })
  )
})
