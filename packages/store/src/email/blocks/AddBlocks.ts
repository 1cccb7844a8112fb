import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import { blockNews } from "@switchboard/services/email/blocks/BlockNews"
import { Effect } from "effect"
import { blockColumns, blockFromRow, blockRecord, blockRecordColumns } from "./BlockRows.js"
import { insertBlocks, writeBlockNews } from "./WriteBlocks.js"

const deleteExpiredStatement = /* sql */ `
WITH expired AS MATERIALIZED (
  SELECT b.organization_id, b.id
  FROM (SELECT DISTINCT organization_id, type, value, category
      FROM json_to_recordset($1::json) AS g(${blockRecordColumns}) ORDER BY organization_id, type, value, category) AS g
    CROSS JOIN LATERAL (
      SELECT organization_id, id FROM email_blocks AS b
      WHERE b.organization_id = g.organization_id AND b.type = g.type AND b.value = g.value AND b.category = g.category
        AND b.expires_at <= now() FOR UPDATE
    ) AS b
)
DELETE FROM email_blocks AS b USING expired AS e WHERE b.organization_id = e.organization_id AND b.id = e.id
RETURNING ${blockColumns}`

/**
 * Stores blocks with their log entries and events, in place of expired ones with the same address or domain and scope.
 * Returns the ids of those that were stored: the others have a block in force. To be run in a transaction.
 */
export const addBlocks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, blocks: ReadonlyArray<Block>) {
  const expired = yield* sql.unsafe<object>(deleteExpiredStatement, [JSON.stringify(blocks.map(blockRecord))])
  const stored = yield* insertBlocks(sql, blocks)
  const changes = [
    ...expired.map((row) => ({ action: "removed" as const, block: blockFromRow(row) })),
    ...blocks.flatMap((block) => (stored.has(block.id) ? [{ action: "added" as const, block }] : []))
  ]
  const told = yield* Effect.forEach(changes, ({ action, block }) =>
    Effect.map(blockNews(action, block), (news) => ({ organizationId: block.organizationId, news }))
  )
  yield* writeBlockNews(sql, told)
  return stored
})
