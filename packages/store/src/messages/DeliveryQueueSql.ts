import { SqlClient } from "@effect/sql"
import { DeliveryQueue, type SettledMessage, type TakeRequest } from "@switchboard/services/messages/DeliveryQueue"
import { Effect, Layer } from "effect"
import { NotificationsLive } from "../queues/Notifications.js"
import { queueTables } from "../queues/QueueTables.js"
import { workQueue } from "../queues/WorkQueue.js"
import { endSchedules } from "./EndSchedules.js"
import { settleMessages } from "./SettleMessages.js"
import { leaseExpired, type MessageLease, takeMessages } from "./TakeMessages.js"

/** The queue of messages. Its entries have ids of their own: `queueId`. */
export const DeliveryQueueSql = Layer.effect(
  DeliveryQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    workQueue(queueTables.message, {
      lease: (request: TakeRequest) => (request.expiredOnly ? leaseExpired(sql, request) : undefined),
      read: (leases: ReadonlyArray<MessageLease>, request) => takeMessages(sql, leases, request),
      settle: (done: ReadonlyArray<SettledMessage>, hold) => settleMessages(sql, done, hold),
      promoted: (entries) => endSchedules(sql, entries)
    })
  )
).pipe(Layer.provide(NotificationsLive))
