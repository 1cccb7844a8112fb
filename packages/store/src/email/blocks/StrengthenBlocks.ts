import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import { strengthenBlock } from "@switchboard/domain/email/blocks/StrengthenBlock"
import { scopeOf } from "@switchboard/domain/email/blocks/Suppression"
import { blockRecords } from "@switchboard/services/email/blocks/BlockRecords"
import { Array, Effect } from "effect"
import { blockColumns, blockFromRow, blockRecord, blockRecordColumns } from "./BlockRows.js"
import { insertBlocks, updateBlocks, writeBlockRecords } from "./WriteBlocks.js"

/** A LATERAL join over sorted keys: all transactions lock blocks in the same order. */
const lockStatement = /* sql */ `
SELECT ${blockColumns}
FROM (SELECT DISTINCT organization_id, type, value, category
    FROM json_to_recordset($1::json) AS g(${blockRecordColumns}) ORDER BY organization_id, type, value, category) AS g
  CROSS JOIN LATERAL (
    SELECT * FROM email_blocks AS b
    WHERE b.organization_id = g.organization_id AND b.type = g.type AND b.value = g.value AND b.category = g.category
    FOR UPDATE
  ) AS b`

const keyOf = (block: Block) => `${block.organizationId} ${block.type} ${block.value} ${scopeOf(block)}`

/**
 * Stores new blocks and strengthens existing ones. Writes a log entry and events for each block that changed. Requires
 * a transaction.
 */
export const strengthenBlocks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, blocks: ReadonlyArray<Block>) {
  if (blocks.length === 0) return
  const inserted = yield* insertBlocks(sql, blocks)
  const [existing, added] = Array.partition(blocks, ({ id }) => inserted.has(id))
  const rows =
    existing.length === 0 ? [] : yield* sql.unsafe<object>(lockStatement, [JSON.stringify(existing.map(blockRecord))])
  const before = new Map(rows.map(blockFromRow).map((block) => [keyOf(block), block]))
  // A block that occurs twice in the list is strengthened twice, and written once.
  const strengthened = new Map<string, { readonly block: Block; readonly by: Block }>()
  for (const by of existing) {
    const present = strengthened.get(keyOf(by))?.block ?? before.get(keyOf(by))
    if (present === undefined) continue
    const block = strengthenBlock(present, by)
    if (block !== present) strengthened.set(keyOf(by), { block, by })
  }
  const changed = [...strengthened.values()]
  if (changed.length > 0)
    yield* updateBlocks(
      sql,
      changed.map(({ block }) => block)
    )
  const changes = [
    ...added.map((block) => ({ action: "added" as const, block, by: block })),
    ...changed.map(({ block, by }) => ({ action: "updated" as const, block, by }))
  ]
  yield* Effect.flatMap(
    Effect.forEach(changes, ({ action, block, by }) =>
      Effect.map(blockRecords(action, block, by.sourceMessageId), (records) => ({
        organizationId: block.organizationId,
        records
      }))
    ),
    (records) => writeBlockRecords(sql, records)
  )
})
