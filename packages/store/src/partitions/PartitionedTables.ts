import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { PartitionedTable } from "@switchboard/services/retention/PartitionRepo"
import type { Effect } from "effect"
import { subtractExpired } from "../apiKeys/SubtractExpired.js"
import { eraseBatches } from "../events/EraseBatches.js"

/**
 * The expired events that stay: those with a webhook delivery that has not succeeded, which may still be sent; the
 * newest expired event of each organization, so that clients can resume after it; and events with a younger time.
 */
const keptEvents = ({ end, limit, youngest }: Expired) => /* sql */ `
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

/** The bounds of expired data, for SQL texts. */
export interface Expired {
  /** The end of the expired partitions. */
  readonly end: string
  /** The first id that is not expired: not before the end. */
  readonly youngest: string
  /** The time of the youngest id. */
  readonly limit: string
}

/** SQL: conditions on `webhook_deliveries AS d` that stay. A delivery can be much younger than its event and its id. */
const keptDeliveries = ({ end, limit }: Expired) =>
  `d.id < '${end}' AND (d.status = 'pending' OR d.created_at >= '${limit}')`

/** How the rows of a partitioned table expire. */
interface TableParts {
  /** The column with the UUIDv7 that the partitions divide. */
  readonly id: string
  /** The SQL that selects the rows of expired partitions that stay. */
  readonly kept: (expired: Expired) => string
  /** The SQL that runs in the transaction that drops the partitions, before it. */
  readonly beforeDrop?: (expired: Expired) => string
  /** Deletes what belongs to dropped rows, up to an id. */
  readonly cleanUp?: (sql: SqlClient.SqlClient, end: string) => Effect.Effect<void, SqlError>
}

export const partitionedTables: Readonly<Record<PartitionedTable, TableParts>> = {
  api_key_activity: {
    id: "id",
    kept: ({ end, limit }) => `SELECT * FROM api_key_activity WHERE id < '${end}' AND at >= '${limit}'`,
    beforeDrop: subtractExpired
  },
  events: { id: "id", kept: keptEvents, cleanUp: eraseBatches },
  // An attempt can be much younger than its delivery.
  webhook_attempts: {
    id: "delivery_id",
    kept: ({ end, limit }) => `SELECT * FROM webhook_attempts WHERE delivery_id < '${end}' AND at >= '${limit}'`
  },
  webhook_bodies: {
    id: "delivery_id",
    kept: (expired) => `SELECT b.* FROM webhook_deliveries AS d CROSS JOIN LATERAL (
      SELECT * FROM webhook_bodies AS b WHERE b.organization_id = d.organization_id AND b.delivery_id = d.id OFFSET 0
    ) AS b WHERE ${keptDeliveries(expired)}`
  },
  webhook_deliveries: {
    id: "id",
    kept: (expired) => `SELECT d.* FROM webhook_deliveries AS d WHERE ${keptDeliveries(expired)}`
  }
}
