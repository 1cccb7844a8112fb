import type { SqlClient } from "@effect/sql"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { eraseRecipient } from "@switchboard/domain/messages/EraseRecipient"
import { DateTime, Effect } from "effect"
import { deleteEntry } from "../messages/DeleteEntry.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "../messages/StateRows.js"
import type { MessageWithAddress } from "./EraseMessages.js"

/** Keeps all other fields of the addressing as they were. */
const addressingStatement = /* sql */ `
WITH person AS (
  SELECT participant_id AS id FROM participant_addresses WHERE organization_id = $1 AND kind = 'email' AND address = $3
), listed AS (
  DELETE FROM message_participants AS p USING person
  WHERE p.organization_id = $1 AND p.participant_id = person.id AND p.message_id = $2
    AND NOT EXISTS (SELECT FROM messages AS m WHERE m.organization_id = $1 AND m.id = $2 AND m.from_participant_id = person.id)
)
UPDATE messages AS m SET
  to_participant_ids = ARRAY(
    SELECT one FROM unnest(m.to_participant_ids) WITH ORDINALITY AS t(one, place)
    WHERE one NOT IN (SELECT id FROM person) ORDER BY place
  ),
  addressing = (
    SELECT json_object_agg(key, CASE WHEN key IN ('to', 'cc', 'bcc') THEN (
      SELECT COALESCE(json_agg(one ORDER BY place), '[]') FROM json_array_elements_text(value) WITH ORDINALITY AS a(one, place)
      WHERE lower(one) <> $3
    ) WHEN key = 'names' THEN (
      SELECT COALESCE(json_object_agg(one, shown), '{}') FROM json_each(value) AS n(one, shown) WHERE lower(one) <> $3
    ) ELSE value END) FROM json_each(m.addressing)
  )
WHERE m.organization_id = $1 AND m.id = $2`

/**
 * Removes an address from a message with other recipients. A running attempt may still deliver to it; delivery to the
 * others continues. Requires a transaction.
 */
export const removeRecipient = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, organizationId }: MessageWithAddress,
  address: EmailAddress
) {
  const key = addressKey(address)
  const [row] = yield* sql<StateRow>`SELECT ${sql.literal(stateColumns)} FROM message_states AS s
    WHERE s.organization_id = ${organizationId} AND s.message_id = ${id} FOR UPDATE`
  if (row === undefined) return
  const before = stateFromRow(row)
  const after = eraseRecipient(before, (recipient) => recipient.toLowerCase() === key, yield* DateTime.now)
  if (after !== before) yield* writeStates(sql, [{ organizationId, messageId: id, before, after }])
  if (!after.deliveries.some(isOpen)) yield* deleteEntry(sql, organizationId, id)
  yield* sql.unsafe(addressingStatement, [organizationId, id, key])
})
