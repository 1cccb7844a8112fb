import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import { strengthenBlock } from "@switchboard/domain/email/blocks/StrengthenBlock"
import { scopeOf } from "@switchboard/domain/email/blocks/Suppression"
import { blockNews } from "@switchboard/services/email/blocks/BlockNews"
import { Array, Effect } from "effect"
import { blockColumns, blockFromRow, blockRecord, blockRecordColumns } from "./BlockRows.js"
import { insertBlocks, updateBlocks, writeBlockNews } from "./WriteBlocks.js"

/** One entry after the other, so that all lock in the same order. */
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
 * Stores entries, and strengthens those that are there already; what changes anything is told. To be run in a
 * transaction.
 */
export const strengthenBlocks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, given: ReadonlyArray<Block>) {
  if (given.length === 0) return
  const inserted = yield* insertBlocks(sql, given)
  const [known, added] = Array.partition(given, ({ id }) => inserted.has(id))
  const rows =
    known.length === 0 ? [] : yield* sql.unsafe<object>(lockStatement, [JSON.stringify(known.map(blockRecord))])
  const before = new Map(rows.map(blockFromRow).map((block) => [keyOf(block), block]))
  // Who is named twice is strengthened twice, and written as it is in the end.
  const strengthened = new Map<string, { readonly block: Block; readonly by: Block }>()
  for (const by of known) {
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
  const told = [
    ...added.map((block) => ({ action: "added" as const, block, by: block })),
    ...changed.map(({ block, by }) => ({ action: "updated" as const, block, by }))
  ]
  yield* Effect.flatMap(
    Effect.forEach(told, ({ action, block, by }) =>
      Effect.map(blockNews(action, block, by.sourceMessageId), (news) => ({
        organizationId: block.organizationId,
        news
      }))
    ),
    (news) => writeBlockNews(sql, news)
  )
})
