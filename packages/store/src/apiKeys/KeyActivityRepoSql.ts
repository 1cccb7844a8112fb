import { SqlClient } from "@effect/sql"
import { ApiKeyActivity, type ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKey"
import { KeyActivityRepo } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { DateTime, Effect, Layer, Schema } from "effect"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"
import { selectPage } from "../Lists.js"

/** The requests of a key by operation and status: all, and of hours that began within the last 24 hours. */
interface UsageRow {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly requests: number
  readonly recent: number
}

const sumBy = (rows: ReadonlyArray<UsageRow>, keyOf: (row: UsageRow) => string) => {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.requests)
  return Object.fromEntries(sums)
}

const firstError = 400

/** Statistics from the counts. `edge`: requests of the last 24 hours in the hour that began before them. */
const usageStats = (rows: ReadonlyArray<UsageRow>, edge: number): Omit<ApiKeyStats, "lastUsedAt"> => {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  const totalRequests = sum(({ requests }) => requests)
  const errors = sum(({ requests, status }) => (status >= firstError ? requests : 0))
  return {
    totalRequests,
    requestsLast24Hours: sum(({ recent }) => recent) + edge,
    errorRate: totalRequests === 0 ? 0 : errors / totalRequests,
    byStatus: sumBy(rows, ({ status }) => String(status)),
    byEndpoint: sumBy(rows, ({ method, route }) => `${method} ${route}`)
  }
}

const decode = Schema.decodeUnknownSync(Schema.Struct({ ...ApiKeyActivity.fields, at: Schema.DateTimeUtcFromDate }))

/** Inserts requests and counts the new ones, in one statement. A repeated insert is not counted again. */
const insertStatement = /* sql */ `
WITH written AS (
  INSERT INTO api_key_activity (organization_id, api_key_id, id, method, path, route, status, latency_ms, ip_address, at)
  SELECT u."organizationId", u."apiKeyId", u.id, u.method, u.path, u.route, u.status, u."latencyMs", u."ipAddress",
    to_timestamp(u.at / 1000)
  FROM json_to_recordset($1::json) AS u("organizationId" uuid, "apiKeyId" uuid, id uuid, method text, path text,
    route text, status integer, "latencyMs" integer, "ipAddress" text, at float8)
  ON CONFLICT DO NOTHING
  RETURNING organization_id, api_key_id, date_trunc('hour', at, 'UTC') AS hour, method, route, status
), hours AS (
  INSERT INTO api_key_usage AS u (organization_id, api_key_id, hour, method, route, status, requests)
  SELECT organization_id, api_key_id, hour, method, route, status, count(*) FROM written
  -- The same lock order in all processes, and hours before totals: no deadlock.
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (organization_id, api_key_id, hour, method, route, status)
    DO UPDATE SET requests = u.requests + excluded.requests
  RETURNING 1
)
INSERT INTO api_key_totals AS t (organization_id, api_key_id, method, route, status, requests)
SELECT organization_id, api_key_id, method, route, status, count(*) FROM written
WHERE (SELECT count(*) FROM hours) IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
ON CONFLICT (organization_id, api_key_id, method, route, status) DO UPDATE SET requests = t.requests + excluded.requests`

/**
 * The requests of keys in the table `api_key_activity`, and their numbers in `api_key_usage` by hour and in
 * `api_key_totals`.
 */
export const KeyActivityRepoSql = Layer.effect(
  KeyActivityRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return {
      insert: (uses) =>
        sql.unsafe(insertStatement, [JSON.stringify(uses)]).pipe(retryConflicts, Effect.asVoid, orUnavailable),
      list: (organization, id, request) =>
        forRequest(
          Effect.gen(function* () {
            return yield* selectPage(sql, request, {
              columns: `id, method, path, status, latency_ms AS "latencyMs", ip_address AS "ipAddress", at`,
              tables: "api_key_activity",
              where: [sql`organization_id = ${organization} AND api_key_id = ${id}`],
              id: "id",
              read: (row) => new ApiKeyActivity(decode(row), { disableValidation: true }),
              total: sql`SELECT COALESCE(sum(requests), 0) FROM api_key_totals
                WHERE organization_id = ${organization} AND api_key_id = ${id}`
            })
          })
        ),
      stats: (organization, id) =>
        forRequest(
          Effect.gen(function* () {
            // Complete hours come from the counts; in the hour that is partly within the last 24 hours, rows are
            // counted.
            const dayAgo = DateTime.subtract(yield* DateTime.now, { hours: 24 })
            const hour = DateTime.endOf(dayAgo, "hour").pipe(DateTime.add({ millis: 1 }))
            const rows = yield* sql<UsageRow>`SELECT method, route, status, t.requests::float8 AS requests,
                COALESCE(u.requests, 0)::float8 AS recent
              FROM api_key_totals AS t LEFT JOIN (
                SELECT method, route, status, sum(requests) AS requests FROM api_key_usage
                WHERE organization_id = ${organization} AND api_key_id = ${id} AND hour >= ${DateTime.toDateUtc(hour)}
                GROUP BY method, route, status
              ) AS u USING (method, route, status)
              WHERE organization_id = ${organization} AND api_key_id = ${id}
              ORDER BY t.requests DESC, method, route, status`
            const [edge] = yield* sql<{ count: number }>`SELECT count(*)::float8 AS count FROM api_key_activity
              WHERE organization_id = ${organization} AND api_key_id = ${id}
                AND id >= ${firstIdAt(dayAgo)} AND id < ${firstIdAt(hour)}`
            return usageStats(rows, edge?.count ?? 0)
          })
        )
    }
  })
)
