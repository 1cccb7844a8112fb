import type { SqlClient } from "@effect/sql"
import type { BlockId } from "@switchboard/domain/email/blocks/Block"
import { BlockLogId } from "@switchboard/domain/email/blocks/BlockLog"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect } from "effect"

/** A recipient that was suppressed by a block. */
export interface SuppressedRecipient {
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
