import type { SqlClient } from "@effect/sql"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type OptedOut, OptOutId, suppressOptOuts } from "@switchboard/domain/sms/OptOut"
import { Array, type DateTime, Effect } from "effect"
import { prepared } from "../database/Prepared.js"
import { lockStates, type MessageKey, type StateChange } from "../messages/StateRows.js"

/** A number of an organization, and phones that get a text from it. */
export interface TextedPhones {
  readonly organizationId: OrganizationId
  readonly number: string
  readonly phones: ReadonlyArray<string>
}

/** One look-up by the primary key for each phone, with any query plan. */
const findStatement = prepared(
  "find_opted_out",
  /* sql */ `
SELECT g.place, o.phone, o.id
FROM json_to_recordset($1::json) AS g(place int, organization_id uuid, number text, phone text)
  CROSS JOIN LATERAL (
    SELECT o.phone, o.id FROM sms_opt_outs AS o
    WHERE o.organization_id = g.organization_id AND o.number = g.number AND o.phone = g.phone AND o.is_active
    LIMIT 1
  ) AS o`
)

interface Row {
  readonly place: number
  readonly phone: string
  readonly id: string
}

/** The opt-outs of the phones of each text, in order. */
export const findOptedOut = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, texts: ReadonlyArray<TextedPhones>) {
  const phones = texts.flatMap(({ number, organizationId, phones }, place) =>
    phones.map((phone) => ({ place, organization_id: organizationId, number, phone }))
  )
  const rows = phones.length === 0 ? [] : yield* sql.unsafe<Row>(findStatement, [JSON.stringify(phones)])
  const found = Array.groupBy(rows, ({ place }) => String(place))
  return texts.map(
    (_, place): OptedOut => new Map((found[place] ?? []).map(({ id, phone }) => [phone, OptOutId.make(id)]))
  )
})

/** A text message before an attempt, of an organization that has opt-outs. */
interface Waiting extends MessageKey {
  /** The number that sends it. */
  readonly number: string
  readonly state: MessageState
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
  const found = yield* findOptedOut(
    sql,
    waiting.map(({ number, organizationId, state }) => ({
      organizationId,
      number,
      phones: state.deliveries.filter(isOpen).map(({ recipient }) => recipient)
    }))
  )
  const hit = Array.zip(waiting, found).filter(([, optedOut]) => optedOut.size > 0)
  if (hit.length === 0) return new Map<MessageId, StateChange>()
  const states = yield* lockStates(
    sql,
    hit.map(([message]) => message)
  )
  return new Map(
    hit.flatMap(([{ messageId, organizationId }, optedOut]): ReadonlyArray<readonly [MessageId, StateChange]> => {
      const before = states.get(messageId)
      if (before === undefined) return []
      return [[messageId, { organizationId, messageId, before, after: suppressOptOuts(before, optedOut, now) }]]
    })
  )
})
