import type { SqlClient } from "@effect/sql"
import { type Block, type BlockId, BlockLogId } from "@switchboard/domain/email/blocks/Block"
import {
  type BlockKeys,
  blockKeys,
  newlyBlocked,
  scopesOf,
  suppressBlocked,
  suppressions
} from "@switchboard/domain/email/blocks/Suppression"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newAddressBlock } from "@switchboard/services/email/blocks/BlockRecords"
import { newId } from "@switchboard/services/NewId"
import { Array, DateTime, Effect } from "effect"
import { lockStates, type StateChange } from "../../messages/StateRows.js"
import { blockColumns, blockFromRow } from "./BlockRows.js"
import { strengthenBlocks } from "./WriteBlocks.js"

/** Mail of an organization to a recipient. `categories` is undefined for mail of any category. */
interface SuppressibleMail {
  readonly organizationId: OrganizationId
  readonly keys: BlockKeys
  readonly categories: ReadonlyArray<string> | undefined
}

/** Per recipient, one index lookup for the address and one for the domain, with any query plan. */
const findStatement = (ofScopes: string) => /* sql */ `
SELECT g.place, now() AS "readAt", b.*
FROM json_to_recordset($1::json) AS g(place int, organization_id uuid, address text, domain text, scopes text[])
  CROSS JOIN LATERAL (
    SELECT ${blockColumns} FROM email_blocks AS b
    WHERE b.organization_id = g.organization_id AND b.type = 'email' AND b.value = g.address ${ofScopes}
    UNION ALL
    SELECT ${blockColumns} FROM email_blocks AS b
    WHERE b.organization_id = g.organization_id AND b.type = 'domain' AND b.value = g.domain ${ofScopes}
  ) AS b`

/** Reads only blocks of the mail's categories, even if an address has many blocks. */
const scopedStatement = findStatement("AND b.category = ANY (g.scopes)")
const unscopedStatement = findStatement("")

interface Row {
  readonly place: number
  /** By the database's clock. */
  readonly readAt: Date
}

/** The blocks that suppress each mail, by `suppressions`. */
export const findSuppressions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  mails: ReadonlyArray<SuppressibleMail>
) {
  if (mails.length === 0) return []
  const isScoped = mails.every(({ categories }) => categories !== undefined)
  const rows = yield* sql.unsafe<Row>(isScoped ? scopedStatement : unscopedStatement, [
    JSON.stringify(
      mails.map(({ categories = [], keys, organizationId }, place) => ({
        place,
        organization_id: organizationId,
        ...keys,
        scopes: scopesOf(categories)
      }))
    )
  ])
  const found = Array.groupBy(rows, ({ place }) => String(place))
  return mails.map(({ categories, keys }, place): ReadonlyArray<Block> => {
    const blocks = found[place]
    if (blocks === undefined) return []
    return suppressions(blocks.map(blockFromRow), keys, categories, DateTime.unsafeFromDate(blocks[0].readAt))
  })
})

/** A recipient that was suppressed by a block. */
interface SuppressedRecipient {
  readonly organizationId: OrganizationId
  readonly blockId: BlockId
  /** The category of the block; undefined for a block on all mail. */
  readonly category: string | undefined
  readonly email: string
  readonly messageId: MessageId
}

/** Locks blocks in the order of organization and id. */
const countStatement = /* sql */ `
WITH hits AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS h(organization_id uuid, id uuid, block_id uuid, email text,
    category text, message_id uuid, created_at timestamptz)
), counts AS (
  SELECT organization_id, block_id, count(*)::int AS hits, max(created_at) AS latest FROM hits GROUP BY 1, 2
  ORDER BY 1, 2
), locked AS MATERIALIZED (
  SELECT b.organization_id, b.id, c.hits, c.latest FROM counts AS c CROSS JOIN LATERAL (
    SELECT organization_id, id FROM email_blocks AS b
    WHERE b.organization_id = c.organization_id AND b.id = c.block_id FOR UPDATE
  ) AS b
), counted AS (
  UPDATE email_blocks AS b SET hit_count = b.hit_count + l.hits, last_hit_at = greatest(b.last_hit_at, l.latest)
  FROM locked AS l WHERE b.organization_id = l.organization_id AND b.id = l.id
)
INSERT INTO email_block_logs (organization_id, id, block_id, email, category, message_id, action, created_at)
SELECT organization_id, id, block_id, email, category, message_id, 'blocked', created_at FROM hits`

/** Counts and logs suppressed recipients in one statement. */
export const countSuppressions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  hits: ReadonlyArray<SuppressedRecipient>
) {
  if (hits.length === 0) return
  const records = yield* Effect.forEach(hits, ({ blockId, category, email, messageId, organizationId }) =>
    Effect.map(newId(BlockLogId), ({ id, now }) => ({
      organization_id: organizationId,
      id,
      block_id: blockId,
      email,
      category,
      message_id: messageId,
      created_at: DateTime.formatIso(now)
    }))
  )
  yield* sql.unsafe(countStatement, [JSON.stringify(records)])
})

/** A message before an attempt, of an organization that has blocks. */
interface Waiting {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly categories: ReadonlyArray<string>
  readonly state: MessageState
}

/**
 * Suppresses recipients that are blocked at the time of the attempt, counts and logs the hits, and returns the changes by
 * message, whose states are locked. Requires a transaction.
 */
export const suppressRecipients = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  waiting: ReadonlyArray<Waiting>,
  now: DateTime.Utc
) {
  const mails = waiting.flatMap(({ categories, messageId, organizationId, state }) =>
    state.deliveries
      .filter(isOpen)
      .map(({ recipient }) => ({ organizationId, messageId, categories, recipient, keys: blockKeys(recipient) }))
  )
  const found = yield* findSuppressions(sql, mails)
  const suppressed = mails.flatMap((mail, place) => {
    const [block] = found[place] ?? []
    return block === undefined ? [] : [{ ...mail, block }]
  })
  if (suppressed.length === 0) return new Map<MessageId, StateChange>()
  const byMessage = Array.groupBy(suppressed, ({ messageId }) => messageId)
  const states = yield* lockStates(
    sql,
    Object.values(byMessage).map(([mail]) => mail)
  )
  yield* countSuppressions(
    sql,
    suppressed.map(({ block, messageId, organizationId, recipient }) => ({
      organizationId,
      blockId: block.id,
      category: block.category,
      email: recipient,
      messageId
    }))
  )
  return new Map(
    Object.values(byMessage).flatMap((mails): ReadonlyArray<readonly [MessageId, StateChange]> => {
      const [{ messageId, organizationId }] = mails
      const before = states.get(messageId)
      if (before === undefined) return []
      const blocks = new Map(mails.map(({ block, keys }) => [keys.address, block]))
      return [[messageId, { organizationId, messageId, before, after: suppressBlocked(before, blocks, now) }]]
    })
  )
})

/**
 * Blocks recipients with a hard bounce or a complaint. Runs in the transaction that stores the report: if the same
 * report is repeated later, a removed block stays removed.
 */
export const addSuppressions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  changes: ReadonlyArray<StateChange>
) {
  const blocks = yield* Effect.forEach(
    changes.flatMap(({ after, before, messageId, organizationId }) =>
      newlyBlocked(before, after).map((blocked) => ({ ...blocked, messageId, organizationId }))
    ),
    ({ address, messageId, organizationId, reason, source }) =>
      newAddressBlock(organizationId, address, { category: undefined, reason, source, sourceMessageId: messageId })
  )
  yield* strengthenBlocks(sql, blocks)
})
