import { SqlClient } from "@effect/sql"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { due, maxQueueLifetime, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import {
  DeliveryQueues,
  type MessageParts,
  type SendingChannel,
  type SettledMessage,
  type TakenMessage,
  type TakeRequest
} from "@switchboard/services/messages/delivery/DeliveryQueue"
import { Array, DateTime, Duration, Effect, Either, Layer } from "effect"
import { selectFitting } from "../database/GroupCommit.js"
import { prepared } from "../database/Prepared.js"
import { addSuppressions, suppressRecipients } from "../email/blocks/SuppressRecipients.js"
import { storeProviderIds } from "../providers/ProviderIds.js"
import { type LeaseRow, leaseHistory, newLease } from "../queues/LeaseEntries.js"
import { ResumedScan, reachedBy, resumedAt } from "../queues/LowWaterMarks.js"
import { channelQueues, NotificationsLive } from "../queues/QueueTables.js"
import { type Hold, workQueueSql } from "../queues/WorkQueueSql.js"
import { suppressOptedOut } from "../sms/SuppressOptedOut.js"
import { attachmentSizes, keysOf, readAttachments } from "./AttachmentRows.js"
import { holdPaused } from "./HoldPaused.js"
import { lockStates, type MessageKey, type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

/** A leased entry of a queue of messages. */
interface MessageLease extends LeaseRow {
  readonly message_id: MessageId
  readonly due_since: Date
}

/**
 * Entries older than the limit for a message, the oldest first, by the index of the queue by age. Waiting retries are not
 * searched: none is scheduled past the message's end, when it is promoted.
 */
const leaseExpiredStatement = (queue: string) => /* sql */ `
WITH expired AS MATERIALIZED (
  SELECT ctid AS place_in_table, due_since FROM ${queue} WHERE lease_until IS NULL AND lease_expiries >= 0
    AND due_since <= now() - make_interval(secs => $4) AND ${resumedAt("due_since", "$5")}
    AND organization_id <> ALL ($6::uuid[])
  ORDER BY due_since LIMIT $1 FOR UPDATE SKIP LOCKED
), leased AS (
  UPDATE ${queue} AS q SET worker = $2, lease_until = now() + make_interval(secs => $3), ${newLease}
  WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM expired))
  RETURNING q.organization_id, q.organization_id AS owner, q.id, q.message_id, q.lease_expiries, q.is_repeat, q.due_since
)
SELECT leased.*, ${reachedBy("expired", "due_since", "now() - make_interval(secs => $4)", "$1::int")} AS reached
FROM (SELECT) AS one LEFT JOIN leased ON true`

/**
 * Leases expired messages, from the end of the last scan. Requires a transaction. With statistics of a time when all
 * entries were leased, the planner expects one ready entry, and would sort those of the index for round robin.
 */
export const leaseExpired = (
  sql: SqlClient.SqlClient,
  channel: SendingChannel,
  scan: ResumedScan,
  { lease, limit, skipped, worker }: TakeRequest
) =>
  Effect.gen(function* () {
    yield* sql`SET LOCAL enable_sort = off`
    const { leases } = yield* scan.run((from) =>
      Effect.map(
        sql.unsafe<(MessageLease | { readonly id: null }) & { readonly reached: number }>(
          leaseExpiredStatement(`${channelQueues[channel].name}_queue`),
          [limit, worker, Duration.toSeconds(lease), Duration.toSeconds(maxQueueLifetime), from, [...skipped]]
        ),
        (rows) => ({
          leases: rows.filter((row): row is MessageLease & { readonly reached: number } => row.id !== null),
          reached: rows[0]?.reached ?? from
        })
      )
    )
    yield* sql`SET LOCAL enable_sort = on`
    return leases
  })

/** One primary key lookup per message with any query plan. */
const readStatement = prepared(
  "read_leased_messages",
  /* sql */ `
SELECT m.id, m.channel, m.content, m.addressing, m.attachment_count, m.categories, m.track_opens, m.track_clicks,
  m.trace_parent, m.created_at, s.*,
  CASE m.channel
    WHEN 'email' THEN (SELECT true FROM email_blocks AS b WHERE b.organization_id = t.organization_id LIMIT 1)
    WHEN 'sms' THEN (SELECT true FROM sms_opt_outs AS o WHERE o.organization_id = t.organization_id AND o.is_active LIMIT 1)
  END AS has_blocks
FROM json_to_recordset($1::json) AS t(organization_id uuid, message_id uuid)
  CROSS JOIN LATERAL (
    SELECT * FROM messages AS m WHERE m.organization_id = t.organization_id AND m.id = t.message_id OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (
    SELECT ${stateColumns} FROM message_states AS s
    WHERE s.organization_id = t.organization_id AND s.message_id = m.id OFFSET 0
  ) AS s`
)

interface WorkFields extends StateRow {
  readonly id: MessageId
  readonly attachment_count: number
  readonly categories: ReadonlyArray<string>
  readonly track_opens: boolean
  readonly track_clicks: boolean
  readonly trace_parent: string | null
  readonly created_at: Date
  readonly has_blocks: true | null
}

type WorkRow = WorkFields & MessageParts

const partsOf = (row: WorkRow): MessageParts => {
  switch (row.channel) {
    case "email":
      return { channel: row.channel, content: row.content, addressing: row.addressing }
    case "sms":
      return { channel: row.channel, content: row.content, addressing: row.addressing }
    case "whatsapp":
      return { channel: row.channel, content: row.content, addressing: row.addressing }
  }
}

interface Work {
  readonly entry: MessageLease
  readonly row: WorkRow
}

const withFiles = (work: ReadonlyArray<Work>) =>
  work.flatMap(({ entry, row }) => (row.attachment_count > 0 ? [entry] : []))

const keysOfMessages = (work: ReadonlyArray<Work>): ReadonlyArray<MessageKey> =>
  work.map(({ entry }) => ({ organizationId: entry.organization_id, messageId: entry.message_id }))

/**
 * Reads the messages of leased entries, without recipients that are blocked by now; a message without other recipients
 * ends. Messages of paused domains wait for the end of the pause. Messages whose attachments exceed the requested total are returned as `excess`. Requires a transaction. That a
 * message is attempted is stored with its outcome, so that most messages are written once, but a repeated attempt is stored
 * here: each one may send a copy, even if its worker is lost too.
 */
const takeMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  leases: ReadonlyArray<MessageLease>,
  request: TakeRequest
) {
  const rows = yield* sql.unsafe<WorkRow>(readStatement, [keysOf(leases)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const [orphans, found] = Array.partitionMap(leases, (entry): Either.Either<Work, MessageLease> => {
    const row = byId.get(entry.message_id)
    return row === undefined ? Either.left(entry) : Either.right({ entry, row })
  })
  const paused = yield* holdPaused(sql, found, request.pausedDomains)
  const [open, held] = Array.partition(found, ({ entry }) => paused.has(entry.id))
  const sizes = yield* attachmentSizes(sql, request.expiredOnly ? [] : withFiles(open))
  const fits = selectFitting(
    open.map(({ row }) => sizes.get(row.id) ?? 0),
    request.attachmentBytes
  )
  const [rest, fitting] = Array.partition(open, (_, index) => fits[index] === true)
  const takenAt = yield* DateTime.now
  const waiting = fitting.map((one) => ({ state: stateFromRow(one.row), ...one }))
  // Suppression does not apply to expired messages.
  const blockable = (request.expiredOnly ? [] : waiting).flatMap(({ entry, row, state }) =>
    row.has_blocks === null
      ? []
      : [
          {
            ...partsOf(row),
            organizationId: entry.organization_id,
            messageId: row.id,
            categories: row.categories,
            state
          }
        ]
  )
  const suppressed = yield* suppressRecipients(
    sql,
    blockable.filter(({ channel }) => channel === "email"),
    takenAt
  )
  const optedOut = yield* suppressOptedOut(
    sql,
    blockable.flatMap(({ content, messageId, organizationId, state, channel }) =>
      channel === "sms" ? [{ number: content.from, messageId, organizationId, state }] : []
    ),
    takenAt
  )
  for (const [id, change] of optedOut) suppressed.set(id, change)
  yield* writeStates(sql, [...suppressed.values()])
  const [left, over] = Array.partition(
    waiting.map((one) => ({ ...one, state: suppressed.get(one.row.id)?.after ?? one.state })),
    ({ row, state }) => suppressed.has(row.id) && !state.deliveries.some(isOpen)
  )
  const repeats = keysOfMessages([...left, ...held].filter(({ entry }) => entry.is_repeat))
  const before = repeats.length === 0 ? new Map<MessageId, MessageState>() : yield* lockStates(sql, repeats)
  yield* writeStates(
    sql,
    repeats.flatMap((key) => {
      const state = before.get(key.messageId)
      return state === undefined ? [] : [{ ...key, before: state, after: taken(state, true, takenAt) }]
    })
  )
  const attachments = yield* readAttachments(sql, request.expiredOnly ? [] : withFiles(left))
  const items = left.map(
    ({ entry, row, state }): TakenMessage => ({
      organizationId: entry.organization_id,
      messageId: entry.message_id,
      queueId: entry.id,
      ...leaseHistory(entry),
      takenAt,
      state: taken(state, entry.is_repeat, takenAt),
      ...partsOf(row),
      attachments: attachments.get(entry.message_id) ?? [],
      categories: row.categories,
      trackOpens: row.track_opens,
      trackClicks: row.track_clicks,
      dueSince: DateTime.unsafeFromDate(entry.due_since),
      createdAt: DateTime.unsafeFromDate(row.created_at),
      traceParent: row.trace_parent
    })
  )
  const gone = [...orphans, ...[...over, ...held].map(({ entry }) => entry)]
  return { items, gone, excess: rest.map(({ entry }) => entry) }
})

/**
 * Stores the states of messages that the worker still holds. Requires a transaction. Returns the messages whose attempts
 * have ended.
 */
const settleMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  done: ReadonlyArray<SettledMessage>,
  hold: Hold
) {
  const held = yield* hold(done.map(({ message: { organizationId, queueId } }) => ({ organizationId, id: queueId })))
  const own = done.filter(({ message }) => held.has(message.queueId))
  const states = yield* lockStates(
    sql,
    own.map(({ message }) => message)
  )
  const settled = own.flatMap(
    ({ decide, message: { channel, isRepeat, messageId, organizationId, queueId: id, takenAt } }) => {
      const before = states.get(messageId)
      if (before === undefined) return []
      const { retryAt, sent = [], state: after } = decide(taken(before, isRepeat, takenAt))
      return [{ organizationId, messageId, channel, id, before, after: after ?? before, retryAt, sent }]
    }
  )
  yield* writeStates(
    sql,
    settled.filter(({ after, before }) => after !== before)
  )
  yield* storeProviderIds(sql, settled)
  yield* addSuppressions(
    sql,
    settled.filter(({ channel }) => channel === "email")
  )
  return settled.flatMap(({ retryAt, ...entry }) => (retryAt === "held" ? [] : [{ ...entry, retryAt }]))
})

/** Makes scheduled messages pending when they are due. Requires a transaction. */
const endSchedules = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, entries: ReadonlyArray<MessageLease>) {
  const messages = entries.map(({ message_id, organization_id }) => ({
    organizationId: organization_id,
    messageId: message_id
  }))
  const states = yield* lockStates(sql, messages)
  const now = yield* DateTime.now
  yield* writeStates(
    sql,
    messages.flatMap((message) => {
      const before = states.get(message.messageId)
      return before?.status === "scheduled" ? [{ ...message, before, after: due(before, now) }] : []
    })
  )
})

/** The queue of each channel. Entries have their own ids: `queueId`. */
export const DeliveryQueuesSql = Layer.effect(
  DeliveryQueues,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const queueOf = (channel: SendingChannel) => {
      const expiredScan = new ResumedScan()
      return workQueueSql(channelQueues[channel], {
        lease: (request: TakeRequest) =>
          request.expiredOnly ? leaseExpired(sql, channel, expiredScan, request) : undefined,
        read: (leases: ReadonlyArray<MessageLease>, request) => takeMessages(sql, leases, request),
        settle: (done: ReadonlyArray<SettledMessage>, hold) => settleMessages(sql, done, hold),
        promoted: (entries) => endSchedules(sql, entries)
      })
    }

    return { email: yield* queueOf("email"), sms: yield* queueOf("sms"), whatsapp: yield* queueOf("whatsapp") }
  })
).pipe(Layer.provide(NotificationsLive))
