import { SqlClient } from "@effect/sql"
import type { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { BlockRepo, type ChangedBlock } from "@switchboard/services/email/blocks/BlockRepo"
import { Effect, Layer, Option } from "effect"
import { forRequest, retryConflicts } from "../../database/Unavailable.js"
import { filtered, filterOn, type Source, searchOn } from "../../Filters.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { selectPage } from "../../Lists.js"
import {
  blockColumns,
  blockFromRow,
  blockLogColumns,
  blockLogFromRow,
  blockRecord,
  blockRecordColumns
} from "./BlockRows.js"
import { findSuppressions } from "./SuppressRecipients.js"
import { insertBlocks, recordChanges, strengthenBlocks, updateBlocks, writeBlockRecords } from "./WriteBlocks.js"

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
 * Stores blocks with their log entries and events, replacing expired blocks of the same value and scope. Returns the
 * ids of the stored blocks; the others have a block that has not expired. Requires a transaction.
 */
const addBlocks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, blocks: ReadonlyArray<Block>) {
  const expired = yield* sql.unsafe<object>(deleteExpiredStatement, [JSON.stringify(blocks.map(blockRecord))])
  const stored = yield* insertBlocks(sql, blocks)
  yield* recordChanges(sql, [
    ...expired.map((row) => ({ action: "removed" as const, block: blockFromRow(row) })),
    ...blocks.flatMap((block) => (stored.has(block.id) ? [{ action: "added" as const, block }] : []))
  ])
  return stored
})

const writeChange = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  { block, records, removed }: ChangedBlock
) {
  if (records === null) return
  yield* removed
    ? sql`DELETE FROM email_blocks WHERE organization_id = ${organizationId} AND id = ${block.id}`
    : updateBlocks(sql, [block])
  yield* writeBlockRecords(sql, [{ organizationId, records }])
})

/** The block list in the tables `email_blocks` and `email_block_logs`. */
const blocks: Source = { table: "email_blocks", alias: "b", id: "id" }

export const BlockRepoSql = Layer.effect(
  BlockRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(blockColumns)

    const select = (organization: OrganizationId, id: BlockId, lock = "") =>
      Effect.map(
        sql`SELECT ${columns} FROM email_blocks AS b
          WHERE b.organization_id = ${organization} AND b.id = ${id} ${sql.literal(lock)}`,
        ([row]) => Option.map(Option.fromNullable(row), blockFromRow)
      )

    return {
      insert: (blocks) =>
        addBlocks(sql, blocks).pipe(
          sql.withTransaction,
          withCreationKey(sql, ([id = null]) => id),
          retryConflicts,
          forRequest
        ),
      findById: (organization, id) => forRequest(select(organization, id)),
      strengthen: (blocks) => strengthenBlocks(sql, blocks).pipe(sql.withTransaction, retryConflicts, forRequest),
      find: (organizationId, keys, category) =>
        findSuppressions(sql, [
          { organizationId, keys, categories: category === undefined ? undefined : [category] }
        ]).pipe(
          Effect.map(([blocks = []]) => blocks),
          forRequest
        ),
      list: (organization, { reason, search }, request) =>
        selectPage(sql, request, {
          ...filtered(sql, organization, {
            all: blocks,
            ordered: filterOn(blocks, reason, (value) => sql`b.reason = ${value}`),
            tests: searchOn(sql, blocks, search, ["b.value"]),
            rows: [blocks]
          }),
          columns: blockColumns,
          read: blockFromRow
        }).pipe(forRequest),
      logs: (organization, request) =>
        selectPage(sql, request, {
          columns: blockLogColumns,
          tables: "email_block_logs",
          where: [sql`organization_id = ${organization}`],
          id: "id",
          read: blockLogFromRow
        }).pipe(forRequest),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = yield* select(organization, id, "FOR UPDATE")
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* writeChange(sql, organization, changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
