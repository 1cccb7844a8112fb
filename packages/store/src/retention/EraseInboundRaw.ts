import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { keysOf, type OpenItem } from "./DueRows.js"
import { isMailDone } from "./EraseBodies.js"
import type { Expiring } from "./EraseDue.js"

const eraseStatement = /* sql */ `
WITH mails AS MATERIALIZED (
  SELECT m.organization_id, m.id, ${isMailDone("m")} AS is_done
  FROM unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id) CROSS JOIN LATERAL (
    SELECT organization_id, id, processed_at FROM inbound_mails
    WHERE organization_id = k.organization_id AND id = k.id AND raw IS NOT NULL OFFSET 0
  ) AS m
), erased AS (
  UPDATE inbound_mails AS m SET raw = NULL FROM mails AS d
  WHERE m.organization_id = d.organization_id AND m.id = d.id AND d.is_done
)
SELECT organization_id AS "organizationId", id, is_done AS "isDone" FROM mails`

interface Found extends OpenItem {
  readonly isDone: boolean
}

/** The octets of received mails. */
export const inboundRaw: Expiring = {
  kind: "inbound_raw",
  table: "inbound_mails",
  id: "t.id",
  item: "t.id",
  remains: `t.raw IS NOT NULL AND NOT EXISTS (SELECT FROM retention_rechecks AS r
    WHERE r.organization_id = t.organization_id AND r.kind = 'inbound_raw' AND r.id = t.id)`,
  batch: 500,
  erase: (sql: SqlClient.SqlClient, items) =>
    Effect.map(sql.unsafe<Found>(eraseStatement, keysOf(items)), (found) => ({
      erased: found.filter(({ isDone }) => isDone).length,
      open: found.filter(({ isDone }) => !isDone)
    }))
}
