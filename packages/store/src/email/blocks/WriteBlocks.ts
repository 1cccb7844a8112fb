import type { SqlClient } from "@effect/sql"
import { type Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import { scopeOf, strengthenBlock } from "@switchboard/domain/email/blocks/Suppression"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type BlockRecords, blockRecords } from "@switchboard/services/email/blocks/BlockRecords"
import { Array, DateTime, Effect } from "effect"
import { insertEvents } from "../../events/InsertEvents.js"
import { blockColumns, blockFromRow, blockRecord, blockRecordColumns } from "./BlockRows.js"

/** The log entry and events of a changed block. */
interface BlockChange {
  readonly organizationId: OrganizationId
  readonly records: BlockRecords
}

const columns = `organization_id, id, type, value, category, reason, source, source_message_id, expires_at, created_at,
  updated_at`

/** The same lock order in all transactions: no deadlock. */
const insertStatement = /* sql */ `
WITH new_blocks AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS g(${blockRecordColumns})),
on_all_mail AS (
  INSERT INTO email_blocks (${columns})
  SELECT ${columns} FROM new_blocks WHERE category = '' ORDER BY organization_id, type, value, id
  ON CONFLICT (organization_id, type, value) DO NOTHING RETURNING id
), on_category AS (
  INSERT INTO email_category_blocks (${columns})
  SELECT ${columns} FROM new_blocks WHERE category <> '' ORDER BY organization_id, type, value, category, id
  ON CONFLICT (organization_id, type, value, category) DO NOTHING RETURNING id
)
SELECT id FROM on_all_mail UNION ALL SELECT id FROM on_category`

/** Stores blocks whose value has no block in the same scope. Returns their ids. */
export const insertBlocks = (sql: SqlClient.SqlClient, blocks: ReadonlyArray<Block>) =>
  Effect.map(
    sql.unsafe<{ readonly id: string }>(insertStatement, [JSON.stringify(blocks.map(blockRecord))]),
    (rows): ReadonlySet<BlockId> => new Set(rows.map(({ id }) => BlockId.make(id, { disableValidation: true })))
  )

/** Stores changes of locked blocks. */
export const updateBlocks = (sql: SqlClient.SqlClient, blocks: ReadonlyArray<Block>) =>
  sql.unsafe(
    /* sql */ `
    UPDATE email_blocks AS b SET reason = g.reason, source = g.source, source_message_id = g.source_message_id,
      expires_at = g.expires_at, updated_at = g.updated_at
    FROM json_to_recordset($1::json) AS g(${blockRecordColumns})
    WHERE b.organization_id = g.organization_id AND b.id = g.id`,
    [JSON.stringify(blocks.map(blockRecord))]
  )

/** Writes the log entries and events of blocks. Requires the transaction that changed them. */
export const writeBlockRecords = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  changes: ReadonlyArray<BlockChange>
) {
  if (changes.length === 0) return
  yield* sql.unsafe(
    /* sql */ `
    INSERT INTO email_block_logs (organization_id, id, block_id, email, category, message_id, action, created_at)
    SELECT organization_id, id, block_id, email, category, message_id, action, created_at
    FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, block_id uuid, email text, category text,
      message_id uuid, action text, created_at timestamptz)`,
    [
      JSON.stringify(
        changes.map(({ records: { log }, organizationId }) => ({
          organization_id: organizationId,
          id: log.id,
          block_id: log.blockId,
          email: log.email,
          category: log.category,
          message_id: log.messageId,
          action: log.action,
          created_at: DateTime.formatIso(log.createdAt)
        }))
      )
    ]
  )
  const events = changes.flatMap(({ records }) => records.events)
  if (events.length > 0) yield* insertEvents(sql, events)
})

/** Makes and writes the log entries and events of changed blocks. Requires the transaction that changed them. */
export const recordChanges = (
  sql: SqlClient.SqlClient,
  changes: ReadonlyArray<{
    readonly action: "added" | "removed" | "updated"
    readonly block: Block
    /** The message that caused the change. */
    readonly messageId?: MessageId | undefined
  }>
) =>
  Effect.flatMap(
    Effect.forEach(changes, ({ action, block, messageId }) =>
      Effect.map(blockRecords(action, block, messageId), (records) => ({
        organizationId: block.organizationId,
        records
      }))
    ),
    (records) => writeBlockRecords(sql, records)
  )

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
  const updated = changed.map(({ block }) => block)
  if (updated.length > 0) yield* updateBlocks(sql, updated)
  yield* recordChanges(sql, [
    ...added.map((block) => ({ action: "added" as const, block, messageId: block.sourceMessageId })),
    ...changed.map(({ block, by }) => ({ action: "updated" as const, block, messageId: by.sourceMessageId }))
  ])
})
