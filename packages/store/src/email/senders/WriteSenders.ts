import type { SqlClient, SqlError } from "@effect/sql"
import { reputationWindow } from "@switchboard/domain/email/senders/EmailSender"
import type { ChangedDomain, StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import type { ChangedSender, StoredSender } from "@switchboard/services/email/senders/ManagedSenderRepo"
import { DateTime, Effect } from "effect"
import { insertEvents } from "../../events/InsertEvents.js"
import { senderOutcomes } from "./SenderOutcomes.js"
import { changedSenderColumns, senderColumns, senderFromRow } from "./SenderRows.js"

/** Clears the previous default sender. The lock serializes concurrent changes: the last one stays the default. */
export const clearDefault = (
  sql: SqlClient.SqlClient,
  { id, isDefault, organizationId }: StoredSender
): Effect.Effect<unknown, SqlError.SqlError> =>
  isDefault
    ? Effect.zipRight(
        sql`SELECT pg_advisory_xact_lock(hashtextextended(${`default sender of ${organizationId}`}, 0))`,
        sql`UPDATE email_senders SET is_default = false, updated_at = now()
          WHERE organization_id = ${organizationId} AND is_default AND id <> ${id}`
      )
    : Effect.void

/** Stores a locked sender with its events. Requires a transaction. */
export const updateSender = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { events, sender }: ChangedSender) {
  yield* clearDefault(sql, sender)
  yield* sql`UPDATE email_senders SET ${sql.update(changedSenderColumns(sender))}
    WHERE organization_id = ${sender.organizationId} AND id = ${sender.id}`
  if (events.length > 0) yield* insertEvents(sql, events)
})

/** Stores changes of a domain's unverified senders, oldest first. Requires a transaction. */
export const updateWaitingSenders = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, organizationId }: StoredDomain,
  decide: NonNullable<ChangedDomain["verifySenders"]>
) {
  const rows = yield* sql`SELECT ${sql.literal(senderColumns)} FROM email_senders AS s
    WHERE s.organization_id = ${organizationId} AND s.domain_id = ${id} AND s.verification_status <> 'verified'
    ORDER BY s.id FOR UPDATE`
  if (rows.length === 0) return
  const stored = rows.map(senderFromRow)
  const since = DateTime.subtractDuration(yield* DateTime.now, reputationWindow)
  const outcomes = yield* senderOutcomes(
    sql,
    organizationId,
    stored.map(({ email }) => email),
    since
  )
  const changed = yield* decide(stored.map((one) => ({ stored: one, outcomes: outcomes.get(one.email) })))
  yield* Effect.forEach(changed, (one) => updateSender(sql, one), { discard: true })
})
