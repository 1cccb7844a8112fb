import { SqlClient } from "@effect/sql"
import type { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import { blockNews } from "@switchboard/services/email/blocks/BlockNews"
import { BlockRepo, type ChangedBlock } from "@switchboard/services/email/blocks/BlockRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts } from "../../database/Unavailable.js"
import { found } from "../../Search.js"
import {
  blockColumns,
  blockFromRow,
  blockLogColumns,
  blockLogFromRow,
  blockRecord,
  blockRecordColumns
} from "./BlockRows.js"
import { findSuppressions } from "./FindSuppressions.js"
import { strengthenBlocks } from "./StrengthenBlocks.js"
import { insertBlocks, updateBlocks, writeBlockNews } from "./WriteBlocks.js"

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
const addBlocks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, blocks: ReadonlyArray<Block>) {
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

const writeChange = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  { block, news, removed }: ChangedBlock
) {
  if (news === null) return
  yield* removed
    ? sql`DELETE FROM email_blocks WHERE organization_id = ${organizationId} AND id = ${block.id}`
    : updateBlocks(sql, [block])
  yield* writeBlockNews(sql, [{ organizationId, news }])
})

/** The list in the tables `email_blocks` and `email_block_logs`. */
export const BlockRepoSql = Layer.effect(
  BlockRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(blockColumns)

    const lock = (organization: OrganizationId, id: BlockId) =>
      Effect.map(
        sql`SELECT ${columns} FROM email_blocks AS b
          WHERE b.organization_id = ${organization} AND b.id = ${id} FOR UPDATE`,
        ([row]) => Option.map(Option.fromNullable(row), blockFromRow)
      )

    return {
      insert: (blocks) => addBlocks(sql, blocks).pipe(sql.withTransaction, retryConflicts, forCaller),
      strengthen: (blocks) => strengthenBlocks(sql, blocks).pipe(sql.withTransaction, retryConflicts, forCaller),
      find: (organizationId, keys, category) =>
        findSuppressions(sql, [
          { organizationId, keys, categories: category === undefined ? undefined : [category] }
        ]).pipe(
          Effect.map(([blocks = []]) => blocks),
          forCaller
        ),
      list: (organization, { reason, search }, request) =>
        Effect.gen(function* () {
          const where = sql.and([
            sql`b.organization_id = ${organization}`,
            ...(reason === undefined ? [] : [sql`b.reason = ${reason}`]),
            ...(search === undefined ? [] : [found(sql, search, ["b.value"])])
          ])
          const rows = yield* sql`SELECT ${columns} FROM email_blocks AS b WHERE ${where}
            ORDER BY b.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM email_blocks AS b WHERE ${where}`
          return page(yield* readableRows(rows, blockFromRow), count?.total ?? 0, request)
        }).pipe(forCaller),
      logs: (organization, request) =>
        Effect.gen(function* () {
          const rows = yield* sql`SELECT ${sql.literal(blockLogColumns)} FROM email_block_logs
            WHERE organization_id = ${organization}
            ORDER BY id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM email_block_logs WHERE organization_id = ${organization}`
          return page(yield* readableRows(rows, blockLogFromRow), count?.total ?? 0, request)
        }).pipe(forCaller),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = yield* lock(organization, id)
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* writeChange(sql, organization, changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forCaller)
    }
  })
)
