import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { keysOf } from "./DueRows.js"
import type { Expiring } from "./EraseDue.js"

const eraseStatement = /* sql */ `
DELETE FROM email_block_logs AS l USING unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id)
WHERE l.organization_id = k.organization_id AND l.id = k.id RETURNING 1`

/** The logs of blocks. The blocks stay. */
export const blockLogs: Expiring = {
  kind: "block_logs",
  table: "email_block_logs",
  id: "t.id",
  item: "t.id",
  remains: "true",
  batch: 1_000,
  erase: (sql: SqlClient.SqlClient, items) =>
    Effect.map(sql.unsafe(eraseStatement, keysOf(items)), (deleted) => ({ erased: deleted.length, open: [] }))
}
