import { SqlClient } from "@effect/sql"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { isUnsuccessful } from "@switchboard/domain/messages/state/MessageStatus"
import type { Receipt } from "@switchboard/services/providers/ProviderEvent"
import {
  type AppliedReceipt,
  type DecideReceipt,
  ProviderMessageRepo
} from "@switchboard/services/providers/ProviderMessageRepo"
import { Effect, Layer, Option } from "effect"
import { groupCommit } from "../database/GroupCommit.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { deleteEntry } from "../messages/DeleteEntry.js"
import { lockStates, type MessageKey, writeStates } from "../messages/StateRows.js"

/** Receipts that share a transaction. */
const maxBatch = 200

interface GivenReceipt {
  readonly receipt: Receipt
  readonly isLate: boolean
  readonly decide: DecideReceipt
}

/** The segment of the receipt at `place`. */
interface Segment extends MessageKey {
  readonly place: number
  readonly id: string
  readonly recipient: string
}

/** The last digits of a phone, which all forms of the number have in common. */
const tailLength = 7

/**
 * The segment of each receipt. Small ids of a server are those of other messages in another form: "22" in decimal is
 * "16" in hexadecimal. So the phone decides, and other forms, or an id without its phone, count for late receipts only.
 * One index lookup per receipt, with any query plan.
 */
const findStatement = /* sql */ `
SELECT r.place, p.* FROM json_to_recordset($1::json)
    AS r(place int, channel text, ids text[], tail text, late boolean) CROSS JOIN LATERAL (
  SELECT provider_message_id AS id, organization_id AS "organizationId", message_id AS "messageId", recipient
  FROM provider_messages AS p WHERE p.channel = r.channel AND p.provider_message_id = ANY (r.ids)
    AND (r.late OR p.provider_message_id = r.ids[1])
    AND (r.tail IS NULL OR right(p.recipient, ${tailLength}) = r.tail OR r.late AND p.provider_message_id = r.ids[1])
  ORDER BY right(p.recipient, ${tailLength}) = r.tail DESC, array_position(r.ids, p.provider_message_id) LIMIT 1
) AS p`

const confirmStatement = /* sql */ `
UPDATE provider_messages AS p SET is_delivered = true
FROM json_to_recordset($1::json) AS c(channel text, id text)
WHERE p.channel = c.channel AND p.provider_message_id = c.id AND NOT p.is_delivered`

/** The recipients of messages with segments that no receipt confirmed. */
const openStatement = /* sql */ `
SELECT m."messageId", p.recipient
FROM json_to_recordset($1::json) AS m("organizationId" uuid, "messageId" uuid) CROSS JOIN LATERAL (
  SELECT DISTINCT recipient FROM provider_messages AS p
  WHERE p.organization_id = m."organizationId" AND p.message_id = m."messageId" AND NOT p.is_delivered
) AS p`

const keyOf = ({ messageId, recipient }: Pick<Segment, "messageId" | "recipient">) => `${messageId} ${recipient}`

const isConfirmed = ({ status }: Receipt) => status === "delivered" || status === "read"

/**
 * Applies receipts in their order. Requires a transaction. The locks of the messages come first: transactions for
 * segments of the same message run one after another.
 */
const applyReceipts = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, given: ReadonlyArray<GivenReceipt>) {
  const wanted = given.map(({ isLate, receipt: { channel, phone, providerMessageIds } }, place) => ({
    place,
    channel,
    ids: providerMessageIds,
    tail: phone?.slice(-tailLength) ?? null,
    late: isLate
  }))
  const segments = yield* sql.unsafe<Segment>(findStatement, [JSON.stringify(wanted)])
  const segmentOf = new Map(segments.map((segment) => [segment.place, segment]))
  const messages = [...new Map(segments.map((segment) => [segment.messageId, segment])).values()]
  const before = yield* lockStates(sql, messages)
  const confirmed = given.flatMap(({ receipt }, place) => {
    const segment = segmentOf.get(place)
    return segment !== undefined && isConfirmed(receipt) ? [{ channel: receipt.channel, id: segment.id }] : []
  })
  if (confirmed.length > 0) yield* sql.unsafe(confirmStatement, [JSON.stringify(confirmed)])
  const open = yield* sql.unsafe<Pick<Segment, "messageId" | "recipient">>(openStatement, [JSON.stringify(messages)])
  const incomplete = new Set(open.map(keyOf))
  const after = new Map<string, MessageState>(before)
  const results = given.map(({ decide }, place): AppliedReceipt => {
    const segment = segmentOf.get(place)
    if (segment === undefined) return "unknown"
    const state = after.get(segment.messageId)
    // The message was deleted.
    if (state === undefined) return "applied"
    const { messageId, recipient } = segment
    return Option.match(decide(state, { recipient, isComplete: !incomplete.has(keyOf(segment)) }), {
      onNone: () => "tooEarly",
      onSome: (changed) => {
        after.set(messageId, changed)
        return "applied"
      }
    })
  })
  const changes = messages.flatMap(({ messageId, organizationId }) => {
    const [old, changed] = [before.get(messageId), after.get(messageId)]
    return old === undefined || changed === undefined || old === changed
      ? []
      : [{ organizationId, messageId, before: old, after: changed }]
  })
  yield* writeStates(sql, changes)
  yield* Effect.forEach(
    changes.filter((change) => isUnsuccessful(change.after.status)),
    ({ messageId, organizationId }) => deleteEntry(sql, organizationId, messageId)
  )
  return results.map((result) => Effect.succeed(result))
})

/** The ids of sent segments in the table `provider_messages`. */
export const ProviderMessageRepoSql = Layer.scoped(
  ProviderMessageRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const apply = yield* groupCommit<GivenReceipt, AppliedReceipt, never>(
      (given) => applyReceipts(sql, given).pipe(sql.withTransaction, retryConflicts, orUnavailable),
      { maxBatch }
    )
    return { apply: (receipt, isLate, decide) => apply({ receipt, isLate, decide }) }
  })
)
