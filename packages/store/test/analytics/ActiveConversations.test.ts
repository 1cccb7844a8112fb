import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { Array, Effect } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { assertConversations, changeConversations, makeConversations } from "./MadeConversations.js"
import { range, ranges, year } from "./Ranges.js"

/** No conversation has quarter hours without messages, and no gap is without conversations. */
const assertNoEmpty = (organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`SELECT 1 FROM conversation_quarters WHERE organization_id = ${organization} AND messages <= 0
        UNION ALL SELECT 1 FROM conversation_gaps WHERE organization_id = ${organization} AND conversations <= 0
        UNION ALL SELECT 1 FROM conversation_days WHERE organization_id = ${organization} AND 0 >= ANY (conversations)`,
      (rows) => assert.deepStrictEqual(rows, [])
    )
  )

layer(OwnStoreLive, { excludeTestServices: true })("Active conversations", (it) => {
  it.effect("equal a recount in any range, while messages change", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const [first, ...others] = ranges(12)
      for (const conversations of [25, 50]) {
        yield* makeConversations(own, year, conversations)
        yield* repo.mergeCounts
        yield* assertNoEmpty(own)
        yield* makeConversations(own, year, 10)
        yield* changeConversations(own)
        for (const one of [year, first ?? year]) yield* assertConversations(own, one)
      }
      for (const one of others) yield* assertConversations(own, one)
      yield* repo.mergeCounts
      yield* assertNoEmpty(own)
      for (const one of others) yield* assertConversations(own, one)
      yield* sql`DELETE FROM messages WHERE organization_id = ${own}`
      yield* repo.mergeCounts
      for (const table of ["conversation_quarters", "conversation_gaps", "conversation_days"]) {
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM ${sql(table)} WHERE organization_id = ${own}`, [])
      }
    })
  )

  it.effect("equal a recount while processes merge, send, move and delete", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const days = range("2026-11-01T00:00:00Z", "2026-11-09T00:00:00Z")
      yield* Effect.all(
        Array.makeBy(6, () => [makeConversations(own, days, 20), repo.mergeCounts, changeConversations(own)]).flat(),
        { concurrency: 6 }
      )
      yield* repo.mergeCounts
      yield* assertNoEmpty(own)
      for (const one of [days, range("2026-11-02T10:00:00Z", "2026-11-06T22:10:11.123Z")])
        yield* assertConversations(own, one)
    })
  )
})
