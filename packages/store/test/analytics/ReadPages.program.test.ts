import { assert, layer } from "@effect/vitest"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { DateTime, Effect } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { vacuum } from "../Vacuum.js"
import { assertParties, makeParticipants, makeParties } from "./MadeParties.js"
import { pagesOf } from "./PagesOf.js"
import { year } from "./Ranges.js"

type Pages = Effect.Effect.Success<typeof pagesOf>

/** Reads of a range, for an organization with 4,000 messages and one with 40,000. */
const compare = Effect.fnUntraced(function* <E, R>(
  fill: (own: OrganizationId, messages: number) => Effect.Effect<unknown, E, R>,
  of: ReadonlyArray<DateRange>,
  reads: ReadonlyArray<keyof Pages>,
  tables: ReadonlyArray<string>
) {
  const { project } = yield* RollupRepo
  const [small, large] = [yield* makeOrganization(), yield* makeOrganization()]
  yield* Effect.all([fill(small, 4_000), fill(large, 40_000), project])
  yield* vacuum(...tables)
  const explaining = yield* pagesOf
  for (const one of of) {
    for (const read of reads) {
      const [before, after] = yield* Effect.all([explaining[read](small, one), explaining[read](large, one)])
      assert.isAtMost(after.pages, 1.5 * before.pages + 4 * before.descents, read)
    }
  }
  return large
})

/** The year, and its last 30 days. */
const yearAndMonth = [year, { start: DateTime.subtract(year.end, { days: 30 }), end: year.end }]

layer(OwnStoreLive, { excludeTestServices: true })("As many pages are read for 40,000 messages as for 4,000", (it) => {
  it.effect("of recipients by place", () =>
    Effect.gen(function* () {
      const large = yield* compare(
        (own, messages) => Effect.zipRight(makeParticipants(own, messages / 10), makeParties(own, year, messages, 8)),
        yearAndMonth,
        ["recipients"],
        ["rollup_places"]
      )
      for (const one of yearAndMonth) yield* assertParties(large, one)
    })
  )
})
