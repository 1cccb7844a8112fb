import type { Expired } from "../partitions/PartitionedTables.js"

/** SQL: subtracts requests (the CTE `deleted` of their hours) from the counts. */
export const subtractDeleted = /* sql */ `
  UPDATE api_key_usage AS u SET requests = u.requests - g.requests
  FROM (SELECT organization_id, api_key_id, hour, method, route, status, count(*) AS requests FROM deleted
    GROUP BY 1, 2, 3, 4, 5, 6) AS g
  WHERE (u.organization_id, u.api_key_id, u.hour, u.method, u.route, u.status)
    = (g.organization_id, g.api_key_id, g.hour, g.method, g.route, g.status)`

/** SQL: the columns of `api_key_activity` that requests are counted by. */
export const countedColumns =
  "organization_id, api_key_id, date_trunc('hour', at, 'UTC') AS hour, method, route, status"

/** SQL: subtracts the requests of expired partitions from the counts. */
export const subtractExpired = ({ end, limit }: Expired) => /* sql */ `
WITH deleted AS (
  SELECT ${countedColumns} FROM api_key_activity WHERE id < '${end}' AND at < '${limit}'
) ${subtractDeleted}`
