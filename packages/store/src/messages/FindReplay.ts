import type { SqlClient } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { SendIdentity } from "@switchboard/services/messages/MessageRepo"
import { Duration, Effect, Option } from "effect"
import { type MessageRow, messageColumns, messageFromRow, messageTables } from "./MessageRows.js"

/** The answer to a key that comes again with another request. */
export const keyReused = new ConflictError({
  message: "The idempotency key was used before with a different request",
  resource: "message"
})
const deleted = new ConflictError({
  message: "The idempotency key belongs to a message that was deleted",
  resource: "message"
})

/**
 * Whether an earlier message can still stand for a repetition of the same content: one that ended badly, was
 * cancelled or deleted can't. For a condition on `message_contents AS c`.
 */
export const stillStands = `EXISTS (SELECT 1 FROM message_states AS s WHERE s.organization_id = c.organization_id
  AND s.message_id = c.message_id AND s.status NOT IN ('failed', 'bounced'))`

/** A claim with its message, if that was not deleted. */
type ClaimRow = { readonly fingerprint: string } & (MessageRow | { readonly id: null })

/** The earlier message that a send repeats: by its key, or without one by its content within the window. */
export const findReplay = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { claim, contentHash, dedupeWindow }: SendIdentity
) {
  const columns = sql.literal(messageColumns)
  const tables = sql.literal(messageTables)
  if (claim !== null) {
    const [held] = yield* sql<ClaimRow>`SELECT k.fingerprint, ${columns} FROM message_claims AS k
      LEFT JOIN (${tables}) ON m.organization_id = k.organization_id AND m.id = k.message_id
      WHERE k.organization_id = ${organization} AND k.key = ${claim.key}`
    if (held === undefined) return Option.none()
    if (held.fingerprint !== claim.fingerprint) return yield* keyReused
    return held.id === null ? yield* deleted : Option.some(messageFromRow(held))
  }
  if (Duration.isZero(dedupeWindow)) return Option.none()
  const [same] = yield* sql<MessageRow>`SELECT ${columns} FROM message_contents AS c
    JOIN (${tables}) ON m.organization_id = c.organization_id AND m.id = c.message_id
    WHERE c.organization_id = ${organization} AND c.content_hash = ${contentHash}
      AND c.accepted_at > now() - make_interval(secs => ${Duration.toSeconds(dedupeWindow)})
      AND ${sql.literal(stillStands)}`
  return Option.map(Option.fromNullable(same), messageFromRow)
})
