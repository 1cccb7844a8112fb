import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { Array, Effect } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { assertParties, changeParties, makeParticipants, makeParties } from "./MadeParties.js"
import { range, ranges, year } from "./Ranges.js"

layer(OwnStoreLive, { excludeTestServices: true })("Parties of messages", (it) => {
  it.effect("equal a recount in any range", () =>
    Effect.gen(function* () {
      const { project } = yield* RollupRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 30)
      for (const messages of [200, 460]) {
        yield* makeParties(own, year, messages)
        yield* project
        yield* changeParties(own)
        yield* project
        yield* assertParties(own, year)
      }
      for (const one of ranges(10)) yield* assertParties(own, one)
    })
  )

  it.effect("equal a recount while processes fold, send and delete", () =>
    Effect.gen(function* () {
      const { project } = yield* RollupRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 30)
      const days = range("2026-11-01T00:00:00Z", "2026-11-05T00:00:00Z")
      yield* Effect.all(
        Array.makeBy(6, (round) => [makeParties(own, days, 30 + round), project, changeParties(own), project]).flat(),
        { concurrency: 6 }
      )
      yield* project
      yield* assertParties(own, days)
    })
  )

  it.effect("equal a recount if many participants have about the same number", () =>
    Effect.gen(function* () {
      const { project } = yield* RollupRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 150)
      yield* makeParties(own, year, 1_000, 1)
      yield* project
      for (const one of [year, ...ranges(2)]) yield* assertParties(own, one)
    })
  )

  it.effect("count at the place at acceptance, also after a rebuild", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { recipients } = yield* AnalyticsRepo
      const { project, rebuild } = yield* RollupRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 4)
      const days = range("2026-11-01T00:00:00Z", "2026-11-05T00:00:00Z")
      yield* makeParties(own, days, 20)
      yield* project
      const before = yield* recipients(own, days)
      assert.isNotEmpty(before)
      yield* sql`UPDATE participants SET country = 'US', region = 'Ohio' WHERE organization_id = ${own}`
      yield* project
      yield* rebuild(own)
      assert.sameDeepMembers([...(yield* recipients(own, days))], [...before])
    })
  )
})
