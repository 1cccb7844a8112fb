import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, type Duration, Effect } from "effect"
import { bounds } from "./RetentionMarks.js"

/** Entries of one transaction. */
export const blockLogsBatch = 1_000

const eraseStatement = /* sql */ `
DELETE FROM email_block_logs WHERE organization_id = $1 AND id IN (
  SELECT id FROM email_block_logs WHERE organization_id = $1 AND id < $2 ORDER BY id LIMIT ${blockLogsBatch}
  FOR UPDATE SKIP LOCKED
) RETURNING 1`

/** Erases a batch of an organization's old log of blocks; the blocks stay. */
export const eraseBlockLogs = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  kept: Duration.Duration,
  after: string
) {
  const { end } = bounds(yield* DateTime.now, kept)
  const gone = yield* sql.unsafe(eraseStatement, [organization, end])
  return { erased: gone.length, after: gone.length < blockLogsBatch ? null : after }
})
