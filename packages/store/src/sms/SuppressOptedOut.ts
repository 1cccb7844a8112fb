import type { SqlClient } from "@effect/sql"
import { suppressDeliveries } from "@switchboard/domain/email/blocks/Suppression"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { Array, type DateTime, Effect } from "effect"
import { lockStates, type MessageKey, type StateChange } from "../messages/StateRows.js"

/** A text message before an attempt, of an organization that has opt-outs. */
interface Waiting extends MessageKey {
  /** The number that sends it. */
  readonly number: string
  readonly state: MessageState
}

/** One look-up by the primary key for each recipient, with any query plan. */
const findStatement = /* sql */ `
SELECT g.message_id AS "messageId", o.phone, o.id
FROM json_to_recordset($1::json) AS g(organization_id uuid, message_id uuid, number text, phone text)
  CROSS JOIN LATERAL (
    SELECT o.phone, o.id FROM sms_opt_outs AS o
    WHERE o.organization_id = g.organization_id AND o.number = g.number AND o.phone = g.phone LIMIT 1
  ) AS o`

interface Row {
  readonly messageId: MessageId
  readonly phone: string
  readonly id: string
}

/**
 * Suppresses the recipients that have opted out at the time of the attempt, and returns the changes by message, whose
 * states are locked. Requires a transaction.
 */
export const suppressOptedOut = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  waiting: ReadonlyArray<Waiting>,
  now: DateTime.Utc
) {
  const texts = waiting.flatMap(({ messageId, number, organizationId, state }) =>
    state.deliveries
      .filter(isOpen)
      .map(({ recipient }) => ({ organization_id: organizationId, message_id: messageId, number, phone: recipient }))
  )
  if (texts.length === 0) return new Map<MessageId, StateChange>()
  const found = Array.groupBy(
    yield* sql.unsafe<Row>(findStatement, [JSON.stringify(texts)]),
    ({ messageId }) => messageId
  )
  const hit = waiting.filter(({ messageId }) => found[messageId] !== undefined)
  if (hit.length === 0) return new Map<MessageId, StateChange>()
  const states = yield* lockStates(sql, hit)
  return new Map(
    hit.flatMap(({ messageId, organizationId }): ReadonlyArray<readonly [MessageId, StateChange]> => {
      const before = states.get(messageId)
      if (before === undefined) return []
      const optOuts = new Map((found[messageId] ?? []).map(({ id, phone }) => [phone, id]))
      const detailsOf = (recipient: string) => {
        const optOutId = optOuts.get(recipient)
        return optOutId === undefined ? undefined : { optOutId, reason: "opt_out" }
      }
      return [[messageId, { organizationId, messageId, before, after: suppressDeliveries(before, detailsOf, now) }]]
    })
  )
})
