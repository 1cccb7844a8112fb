import type { SqlClient } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { SendIdentity } from "@switchboard/services/messages/MessageRepo"
import { Duration, Effect, Option } from "effect"
import { selectMessages } from "./MessageRows.js"

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

/** The earlier message that a send repeats: by its key, or without one by its content within the window. */
export const findReplay = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { claim, contentHash, dedupeWindow }: SendIdentity
) {
  const original = (id: MessageId) =>
    Effect.map(selectMessages(sql, organization, [id]), ([found]) => Option.fromNullable(found))
  if (claim !== null) {
    const [held] = yield* sql<{ message_id: MessageId; fingerprint: string }>`SELECT message_id, fingerprint
      FROM message_claims WHERE organization_id = ${organization} AND key = ${claim.key}`
    if (held === undefined) return Option.none()
    if (held.fingerprint !== claim.fingerprint) return yield* keyReused
    const found = yield* original(held.message_id)
    return Option.isNone(found) ? yield* deleted : found
  }
  if (Duration.isZero(dedupeWindow)) return Option.none()
  const [same] = yield* sql<{ message_id: MessageId }>`SELECT c.message_id FROM message_contents AS c
    WHERE c.organization_id = ${organization} AND c.content_hash = ${contentHash}
      AND c.accepted_at > now() - make_interval(secs => ${Duration.toSeconds(dedupeWindow)})
      AND ${sql.literal(stillStands)}`
  return same === undefined ? Option.none() : yield* original(same.message_id)
})
