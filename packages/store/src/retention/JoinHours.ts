import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Duration, Effect } from "effect"

/** Statistics tell of the last thirty days. */
const asked = Duration.days(31)

const joinStatement = /* sql */ `
WITH old AS (
  DELETE FROM catch_all_counts
  WHERE organization_id = $1 AND hour < now() - make_interval(secs => $2) AND hour > 'epoch'
  RETURNING domain_id, received, rejected, forwarded
), joined AS (
  INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, received, rejected, forwarded)
  SELECT $1::uuid, domain_id, 'epoch', sum(received), sum(rejected), sum(forwarded) FROM old
  GROUP BY domain_id ORDER BY domain_id
  ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET received = c.received + excluded.received,
    rejected = c.rejected + excluded.rejected, forwarded = c.forwarded + excluded.forwarded
)
SELECT count(*)::int AS count FROM old`

/** Makes one of an organization's old hours of catch-alls, so that they count on; how many those were. */
export const joinHours = (sql: SqlClient.SqlClient, organization: OrganizationId, kept: Duration.Duration) =>
  Effect.map(
    sql.unsafe<{ readonly count: number }>(joinStatement, [
      organization,
      Duration.toSeconds(Duration.max(kept, asked))
    ]),
    ([row]) => row?.count ?? 0
  )
