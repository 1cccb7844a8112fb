import type { Expired } from "../partitions/PartitionedTables.js"

const totalKey = "organization_id, api_key_id, method, route, status"

/** SQL: the CTEs that subtract requests (the CTE `deleted` of their hours) from the counts. */
export const subtractDeleted = /* sql */ `hours AS (
  UPDATE api_key_usage AS u SET requests = u.requests - g.requests
  FROM (SELECT ${totalKey}, hour, count(*) AS requests FROM deleted GROUP BY ${totalKey}, hour) AS g
  WHERE (u.organization_id, u.api_key_id, u.hour, u.method, u.route, u.status)
    = (g.organization_id, g.api_key_id, g.hour, g.method, g.route, g.status)
  RETURNING 1
), totals AS (
  UPDATE api_key_totals AS t SET requests = t.requests - g.requests
  FROM (SELECT ${totalKey}, count(*) AS requests FROM deleted GROUP BY ${totalKey}) AS g
  WHERE (SELECT count(*) FROM hours) IS NOT NULL AND (t.organization_id, t.api_key_id, t.method, t.route, t.status)
    = (g.organization_id, g.api_key_id, g.method, g.route, g.status)
)`

/** SQL: the columns of `api_key_activity` that requests are counted by. */
export const countedColumns =
  "organization_id, api_key_id, date_trunc('hour', at, 'UTC') AS hour, method, route, status"

/** SQL: subtracts the requests of expired partitions from the counts. */
export const subtractExpired = ({ end, limit }: Expired) => /* sql */ `
WITH deleted AS (
  SELECT ${countedColumns} FROM api_key_activity WHERE id < '${end}' AND at < '${limit}'
), ${subtractDeleted}
SELECT`
