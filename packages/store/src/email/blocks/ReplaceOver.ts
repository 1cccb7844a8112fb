import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import { blockNews } from "@switchboard/services/email/blocks/BlockNews"
import { Effect } from "effect"
import { blockColumns, blockFromRow } from "./BlockRows.js"
import { insertBlocks, writeBlockNews } from "./WriteBlocks.js"

/**
 * Stores an entry in place of one that is over, if there is one: that one is gone then. False, and nothing written, if
 * its address or domain has one in force. To be run in a transaction.
 */
export const replaceOver = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, block: Block) {
  const { organizationId, type, value } = block
  const over = yield* sql`DELETE FROM email_blocks AS b
    WHERE b.organization_id = ${organizationId} AND b.type = ${type} AND b.value = ${value} AND b.expires_at <= now()
    RETURNING ${sql.literal(blockColumns)}`
  const inserted = yield* insertBlocks(sql, [block])
  if (inserted.size === 0) return false
  const news = [
    ...(yield* Effect.forEach(over.map(blockFromRow), (gone) => blockNews("removed", gone))),
    yield* blockNews("added", block)
  ]
  yield* writeBlockNews(
    sql,
    news.map((one) => ({ organizationId, news: one }))
  )
  return true
})
