import type { SqlClient } from "@effect/sql"
import { Duration, Effect } from "effect"
import type { Expiring } from "./EraseDue.js"

/** Statistics cover the last 30 days, so these hours must not be merged. */
export const statisticsPeriod = Duration.days(31)

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
export const catchAllHours: Expiring = {
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
