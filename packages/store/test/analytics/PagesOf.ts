import { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { AnalyticsRepoSql } from "@switchboard/store/analytics/AnalyticsRepoSql"
import { Effect, Layer } from "effect"
import { assert } from "vitest"

interface Plan {
  readonly "Node Type": string
  readonly "Actual Loops": number
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly Plans?: ReadonlyArray<Plan>
}

/** The index scans of a plan. */
const descentsOf = (plan: Plan): number =>
  (/Index/.test(plan["Node Type"]) ? plan["Actual Loops"] : 0) +
  (plan.Plans ?? []).reduce((sum, one) => sum + descentsOf(one), 0)

/** The pages and index scans of the statements of `AnalyticsRepoSql`, which get no rows. */
export const pagesOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const read: Array<{ pages: number; descents: number }> = []
  const explaining = new Proxy(sql, {
    get: (target, name) =>
      name === "unsafe"
        ? (text: string, parameters: ReadonlyArray<unknown>) =>
            Effect.map(
              target.unsafe<{ "QUERY PLAN": ReadonlyArray<{ Plan: Plan }> }>(
                `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
                parameters
              ),
              (rows) => {
                for (const { Plan: plan } of rows.flatMap((row) => row["QUERY PLAN"])) {
                  read.push({
                    pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
                    descents: descentsOf(plan)
                  })
                }
                return []
              }
            )
        : Reflect.get(target, name)
  })
  const repo = yield* Effect.provide(
    AnalyticsRepo,
    AnalyticsRepoSql.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, explaining)))
  )
  const pages =
    <A, E>(reading: (organization: OrganizationId, range: DateRange) => Effect.Effect<A, E>) =>
    (organization: OrganizationId, range: DateRange) =>
      Effect.map(Effect.exit(reading(organization, range)), () => {
        assert.isNotEmpty(read)
        const sum = (of: (one: (typeof read)[number]) => number) => read.reduce((total, one) => total + of(one), 0)
        const all = { pages: sum((one) => one.pages), descents: sum((one) => one.descents) }
        read.length = 0
        return all
      })
  return {
    recipients: pages(repo.recipients)
  }
})
