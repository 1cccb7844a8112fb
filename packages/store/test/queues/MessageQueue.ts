import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { QueueDepthsSql } from "@switchboard/store/queues/QueueStateSql"
import { Effect } from "effect"

/** The depth of the message queue, over all organizations. */
export const messageQueue = Effect.flatMap(QueueDepths, ({ all }) =>
  Effect.map(all, (depths) => {
    const depth = depths.find(({ queue }) => queue === "message")
    return { ready: depth?.ready, leased: depth?.leased, waiting: depth?.waiting }
  })
).pipe(Effect.provide(QueueDepthsSql))
