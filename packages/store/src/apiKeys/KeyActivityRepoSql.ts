import { SqlClient } from "@effect/sql"
import { ApiKeyActivity, type ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKeyActivity"
import { page } from "@switchboard/domain/Page"
import { KeyActivityRepo } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { inBatches } from "../database/InBatches.js"
import { forCaller, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"

/** How often a key was answered with a status by an operation, in all and in the hours that began within the last day. */
interface UsageRow {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly requests: number
  readonly lately: number
}

const sumBy = (rows: ReadonlyArray<UsageRow>, keyOf: (row: UsageRow) => string) => {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.requests)
  return Object.fromEntries(sums)
}

const firstError = 400

/** What the counts come to; `edge` requests were within the last day in the hour that began before it. */
const usageStats = (rows: ReadonlyArray<UsageRow>, edge: number): Omit<ApiKeyStats, "lastUsedAt"> => {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  const totalRequests = sum(({ requests }) => requests)
  const errors = sum(({ requests, status }) => (status >= firstError ? requests : 0))
  return {
    totalRequests,
    requestsLast24Hours: sum(({ lately }) => lately) + edge,
    errorRate: totalRequests === 0 ? 0 : errors / totalRequests,
    byStatus: sumBy(rows, ({ status }) => String(status)),
    byEndpoint: sumBy(rows, ({ method, route }) => `${method} ${route}`)
  }
}

const decode = Schema.decodeUnknownSync(Schema.Struct({ ...ApiKeyActivity.fields, at: Schema.DateTimeUtcFromDate }))

/** Rows that one statement deletes. */
const forgetBatch = 5_000

/** Counts what it writes, in one statement; what was written before is not counted again. */
const insertStatement = /* sql */ `
WITH written AS (
  INSERT INTO api_key_activity (organization_id, api_key_id, id, method, path, route, status, latency_ms, ip_address, at)
  SELECT u."organizationId", u."apiKeyId", u.id, u.method, u.path, u.route, u.status, u."latencyMs", u."ipAddress",
    to_timestamp(u.at / 1000)
  FROM json_to_recordset($1::json) AS u("organizationId" uuid, "apiKeyId" uuid, id uuid, method text, path text,
    route text, status integer, "latencyMs" integer, "ipAddress" text, at float8)
  ON CONFLICT DO NOTHING
  RETURNING organization_id, api_key_id, date_trunc('hour', at, 'UTC') AS hour, method, route, status
)
INSERT INTO api_key_usage AS u (organization_id, api_key_id, hour, method, route, status, requests)
SELECT organization_id, api_key_id, hour, method, route, status, count(*) FROM written
-- In one order everywhere, so that two processes don't wait for each other.
GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
ON CONFLICT (organization_id, api_key_id, hour, method, route, status)
  DO UPDATE SET requests = u.requests + excluded.requests`

/** Waits for nobody: what another worker is deleting is passed over. What is deleted is counted no more. */
const forgetStatement = /* sql */ `
WITH gone AS (
  DELETE FROM api_key_activity WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM api_key_activity WHERE at < now() - make_interval(secs => $1)
    LIMIT ${forgetBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING organization_id, api_key_id, date_trunc('hour', at, 'UTC') AS hour, method, route, status
), counted AS (
  UPDATE api_key_usage AS u SET requests = u.requests - g.requests
  FROM (SELECT organization_id, api_key_id, hour, method, route, status, count(*) AS requests FROM gone
    GROUP BY 1, 2, 3, 4, 5, 6) AS g
  WHERE (u.organization_id, u.api_key_id, u.hour, u.method, u.route, u.status)
    = (g.organization_id, g.api_key_id, g.hour, g.method, g.route, g.status)
)
SELECT count(*)::int AS count FROM gone`

/** What keys were used for, in the tables `api_key_activity` and `api_key_usage`. */
export const KeyActivityRepoSql = Layer.effect(
  KeyActivityRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return {
      insert: (uses) =>
        sql.unsafe(insertStatement, [JSON.stringify(uses)]).pipe(retryConflicts, Effect.asVoid, orUnavailable),
      list: (organization, id, request) =>
        forCaller(
          Effect.gen(function* () {
            const rows =
              yield* sql`SELECT method, path, status, latency_ms AS "latencyMs", ip_address AS "ipAddress", at
              FROM api_key_activity WHERE organization_id = ${organization} AND api_key_id = ${id}
              ORDER BY id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
            const [count] = yield* sql<{ total: number }>`SELECT COALESCE(sum(requests), 0)::float8 AS total
              FROM api_key_usage WHERE organization_id = ${organization} AND api_key_id = ${id}`
            const items = yield* readableRows(
              rows,
              (row) => new ApiKeyActivity(decode(row), { disableValidation: true })
            )
            return page(items, count?.total ?? 0, request)
          })
        ),
      stats: (organization, id) =>
        forCaller(
          Effect.gen(function* () {
            // Whole hours are counted already; of the one that is partly within the last day, the rows are.
            const dayAgo = DateTime.subtract(yield* DateTime.now, { hours: 24 })
            const hour = DateTime.endOf(dayAgo, "hour").pipe(DateTime.add({ millis: 1 }))
            const rows = yield* sql<UsageRow>`SELECT method, route, status, sum(requests)::float8 AS requests,
                COALESCE(sum(requests) FILTER (WHERE hour >= ${DateTime.toDateUtc(hour)}), 0)::float8 AS lately
              FROM api_key_usage WHERE organization_id = ${organization} AND api_key_id = ${id}
              GROUP BY method, route, status HAVING sum(requests) > 0 ORDER BY requests DESC, method, route, status`
            const [edge] = yield* sql<{ count: number }>`SELECT count(*)::float8 AS count FROM api_key_activity
              WHERE organization_id = ${organization} AND api_key_id = ${id}
                AND id >= ${firstIdAt(dayAgo)} AND id < ${firstIdAt(hour)}`
            return usageStats(rows, edge?.count ?? 0)
          })
        ),
      forget: (kept) =>
        Effect.gen(function* () {
          const seconds = Duration.toSeconds(kept)
          const gone = yield* inBatches(
            sql.unsafe<{ count: number }>(forgetStatement, [seconds]).pipe(
              Effect.map(([row]) => row?.count ?? 0),
              retryConflicts
            ),
            forgetBatch
          )
          yield* sql`DELETE FROM api_key_usage WHERE requests = 0
            AND hour < now() - make_interval(secs => ${seconds})`
          return gone
        }).pipe(orUnavailable)
    }
  })
)
