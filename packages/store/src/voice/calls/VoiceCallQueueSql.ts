import { SqlClient } from "@effect/sql"
import { type CallSettlement, VoiceCallQueue } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Effect, Layer } from "effect"
import { NotificationsLive } from "../../queues/Notifications.js"
import { queueTables } from "../../queues/QueueTables.js"
import { workQueue } from "../../queues/WorkQueue.js"
import { settleCalls } from "./SettleCalls.js"
import { type CallLease, takeCalls } from "./TakeCalls.js"

/** The queue of calls. Its entries have their ids. */
export const VoiceCallQueueSql = Layer.effect(
  VoiceCallQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    workQueue(queueTables.voice_call, {
      read: (leases: ReadonlyArray<CallLease>) => takeCalls(sql, leases),
      settle: (done: ReadonlyArray<CallSettlement>, hold) => settleCalls(sql, done, hold)
    })
  )
).pipe(Layer.provide(NotificationsLive))
