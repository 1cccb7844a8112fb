import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { PartitionedTable } from "@switchboard/services/retention/PartitionRepo"
import type { Effect } from "effect"
import { subtractExpired } from "../apiKeys/SubtractExpired.js"
import { eraseBatches } from "../events/EraseBatches.js"
import { keptEvents } from "./KeptEvents.js"

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
