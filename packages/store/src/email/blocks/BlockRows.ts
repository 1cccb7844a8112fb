import { Block, BlockId, BlockLog } from "@switchboard/domain/email/blocks/Block"
import { scopeOf } from "@switchboard/domain/email/blocks/Suppression"
import { Category } from "@switchboard/domain/messages/Categories"
import { MessageId } from "@switchboard/domain/messages/Message"
import { Schema } from "effect"
import { nullable } from "../../RowMapping.js"

const decodeBlock = Schema.decodeUnknownSync(
  Schema.Struct({
    ...Block.fields,
    category: nullable(Category),
    sourceMessageId: nullable(MessageId),
    lastHitAt: nullable(Schema.DateTimeUtcFromDate),
    expiresAt: nullable(Schema.DateTimeUtcFromDate),
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

const decodeLog = Schema.decodeUnknownSync(
  Schema.Struct({
    ...BlockLog.fields,
    blockId: BlockId,
    category: nullable(Category),
    messageId: nullable(MessageId),
    createdAt: Schema.DateTimeUtcFromDate
  })
)

/** The columns of `email_blocks AS b` for `blockFromRow`. */
export const blockColumns = `b.id, b.organization_id AS "organizationId", b.type, b.value,
  CASE b.category WHEN '' THEN 'all' ELSE 'category' END AS scope, NULLIF(b.category, '') AS category, b.reason, b.source,
  b.source_message_id AS "sourceMessageId", b.hit_count AS "hitCount", b.last_hit_at AS "lastHitAt",
  b.expires_at AS "expiresAt", b.created_at AS "createdAt", b.updated_at AS "updatedAt"`

/** Decodes a block. */
export const blockFromRow = (row: object): Block => new Block(decodeBlock(row), { disableValidation: true })

/** The columns of `email_block_logs` for `blockLogFromRow`. */
export const blockLogColumns = `id, block_id AS "blockId", email, category, message_id AS "messageId", action,
  created_at AS "createdAt"`

/** Decodes a log entry. */
export const blockLogFromRow = (row: object): BlockLog => new BlockLog(decodeLog(row), { disableValidation: true })

/** The columns of a block in a `json_to_recordset`, as `blockRecord` writes them. */
export const blockRecordColumns = `organization_id uuid, id uuid, type text, value text, category text, reason text, source text,
  source_message_id uuid, expires_at timestamptz, created_at timestamptz, updated_at timestamptz`

/** A block as a record for `json_to_recordset`, without its hit count. */
export const blockRecord = (block: Block) => ({
  organization_id: block.organizationId,
  id: block.id,
  type: block.type,
  value: block.value,
  category: scopeOf(block),
  reason: block.reason,
  source: block.source,
  source_message_id: block.sourceMessageId,
  expires_at: block.expiresAt,
  created_at: block.createdAt,
  updated_at: block.updatedAt
})
