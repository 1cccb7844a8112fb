import { SqlClient } from "@effect/sql"
import { due, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import {
  DeliveryQueue,
  type SettledMessage,
  type TakeRequest
} from "@switchboard/services/messages/delivery/DeliveryQueue"
import { DateTime, Effect, Layer } from "effect"
import { addSuppressions } from "../email/blocks/SuppressRecipients.js"
import { NotificationsLive } from "../queues/Notifications.js"
import { queueTables } from "../queues/QueueTables.js"
import { ResumedScan } from "../queues/ResumedScan.js"
import { type Hold, workQueueSql } from "../queues/WorkQueueSql.js"
import { lockStates, writeStates } from "./StateRows.js"
import { leaseExpired, type MessageLease, takeMessages } from "./TakeMessages.js"

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
  const settled = own.flatMap(({ decide, message: { isRepeat, messageId, organizationId, queueId: id, takenAt } }) => {
    const before = states.get(messageId)
    if (before === undefined) return []
    const { retryAt, state: after } = decide(taken(before, isRepeat, takenAt))
    return [{ organizationId, messageId, id, before, after, retryAt }]
  })
  yield* writeStates(sql, settled)
  yield* addSuppressions(sql, settled)
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

/** The delivery queue. Entries have their own ids: `queueId`. */
export const DeliveryQueueSql = Layer.effect(
  DeliveryQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const expiredScan = new ResumedScan()
    return workQueueSql(queueTables.message, {
      lease: (request: TakeRequest) => (request.expiredOnly ? leaseExpired(sql, expiredScan, request) : undefined),
      read: (leases: ReadonlyArray<MessageLease>, request) => takeMessages(sql, leases, request),
      settle: (done: ReadonlyArray<SettledMessage>, hold) => settleMessages(sql, done, hold),
      promoted: (entries) => endSchedules(sql, entries)
    })
  })
).pipe(Layer.provide(NotificationsLive))
