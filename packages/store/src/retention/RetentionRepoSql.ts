import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { Duration, Effect, Layer, Number } from "effect"
import { inTurn } from "../database/DeletionTurn.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { keysOf } from "./DueRows.js"
import { bodies } from "./EraseBodies.js"
import { type Expiring, eraseDue } from "./EraseDue.js"
import { eraseEvents, organizationsWithOldEvents } from "./EraseEvents.js"
import { forwardings } from "./EraseForwardings.js"
import { inboundRaw } from "./EraseInboundRaw.js"
import { minId } from "./RetentionMarks.js"

/** Statistics cover the last 30 days, so these hours must not be merged. */
const statisticsPeriod = Duration.days(31)

/** SQL: the lowest UUIDv7 of a time, like `firstIdAt`. */
const firstId = (time: string) =>
  `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`

const mergeStatement = /* sql */ `
WITH old AS (
  DELETE FROM catch_all_counts
  WHERE organization_id = ANY ($1::uuid[]) AND hour > 'epoch' AND ${firstId("hour")} < $2::uuid
  RETURNING organization_id, domain_id, received, rejected, forwarded
), merged AS (
  INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, received, rejected, forwarded)
  SELECT organization_id, domain_id, 'epoch', sum(received), sum(rejected), sum(forwarded) FROM old
  GROUP BY organization_id, domain_id ORDER BY organization_id, domain_id
  ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET received = c.received + excluded.received,
    rejected = c.rejected + excluded.rejected, forwarded = c.forwarded + excluded.forwarded
)
SELECT count(*)::int AS count FROM old`

/** The hourly counts of catch-alls: old hours are merged into one row, so that totals stay. Due once a day. */
const catchAllHours: Expiring = {
  kind: "catch_all_hours",
  table: `(SELECT organization_id, ${firstId("hour + interval '1 day'")} AS id FROM catch_all_counts WHERE hour > 'epoch')`,
  id: "t.id",
  item: "t.id",
  remains: "true",
  batch: 20_000,
  erase: (sql: SqlClient.SqlClient, _, { end, pages }) =>
    Effect.map(
      sql.unsafe<{ readonly count: number }>(mergeStatement, [pages.map(({ organizationId }) => organizationId), end]),
      ([row]) => ({ erased: row?.count ?? 0, open: [] })
    )
}

const eraseStatement = /* sql */ `
DELETE FROM email_block_logs AS l USING unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id)
WHERE l.organization_id = k.organization_id AND l.id = k.id RETURNING 1`

/** The logs of blocks. The blocks stay. */
const blockLogs: Expiring = {
  kind: "block_logs",
  table: "email_block_logs",
  id: "t.id",
  item: "t.id",
  remains: "true",
  batch: 1_000,
  erase: (sql: SqlClient.SqlClient, items) =>
    Effect.map(sql.unsafe(eraseStatement, keysOf(items)), (deleted) => ({ erased: deleted.length, open: [] }))
}

const beginning: { readonly total: number; readonly after: string | null } = { total: 0, after: minId }

/** Erases data beyond its retention time. */
export const RetentionRepoSql = Layer.effect(
  RetentionRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const transaction = <A>(batch: Effect.Effect<A, SqlError>) =>
      batch.pipe(sql.withTransaction, retryConflicts, orUnavailable, inTurn)

    /** Runs batches over an organization's rows in the order of ids. */
    const forEachBatch = (
      batch: (after: string) => Effect.Effect<{ readonly erased: number; readonly after: string | null }, SqlError>
    ) =>
      Effect.iterate(beginning, {
        while: ({ after }) => after !== null,
        body: ({ after, total }) =>
          Effect.map(transaction(batch(after ?? minId)), (one) => ({ total: total + one.erased, after: one.after }))
      }).pipe(Effect.map(({ total }) => total))

    return {
      eraseBodies: (retention) => eraseDue(sql, bodies, retention),
      eraseEvents: (retention) =>
        orUnavailable(organizationsWithOldEvents(sql, retention)).pipe(
          Effect.flatMap((organizations) =>
            Effect.forEach(organizations, ({ id }) => forEachBatch((after) => eraseEvents(sql, id, retention, after)))
          ),
          Effect.map(Number.sumAll)
        ),
      eraseMailLogs: (retention) =>
        Effect.map(
          Effect.all([
            eraseDue(sql, forwardings, retention),
            eraseDue(sql, blockLogs, retention),
            eraseDue(sql, catchAllHours, Duration.max(retention, statisticsPeriod))
          ]),
          Number.sumAll
        ),
      eraseInboundRaw: (retention) => eraseDue(sql, inboundRaw, retention)
    }
  })
)
