import type { Expired } from "./PartitionedTables.js"

/**
 * The expired events that stay: those with a webhook delivery that has not succeeded, which may still be sent; the
 * newest expired event of each organization, so that clients can resume after it; and events with a younger time.
 */
export const keptEvents = ({ end, limit, youngest }: Expired) => /* sql */ `
SELECT e.* FROM (
  SELECT d.organization_id, d.event_id AS id
  FROM webhook_endpoints AS w JOIN webhook_deliveries AS d ON d.organization_id = w.organization_id
    AND d.endpoint_id = w.id AND d.status IN ('pending', 'failed')
  WHERE d.event_id < '${end}'
  UNION
  SELECT o.id, newest.id FROM organizations AS o CROSS JOIN LATERAL (
    SELECT id FROM events WHERE organization_id = o.id AND id < '${youngest}' ORDER BY id DESC LIMIT 1
  ) AS newest WHERE newest.id < '${end}'
  UNION
  SELECT organization_id, id FROM events WHERE id < '${end}' AND created_at >= '${limit}'
) AS k CROSS JOIN LATERAL (
  SELECT * FROM events AS e WHERE e.organization_id = k.organization_id AND e.id = k.id AND e.id < '${end}' OFFSET 0
) AS e`
