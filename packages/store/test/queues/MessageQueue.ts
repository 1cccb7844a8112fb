import { QueueDepths } from "@switchboard/services/queues/QueueDepths"
import { QueueDepthsSql } from "@switchboard/store/queues/QueueDepthsSql"
import { Effect } from "effect"

/** How much waits in the queue of messages, of all organizations. */
export const messageQueue = Effect.flatMap(QueueDepths, ({ all }) =>
  Effect.map(all, (depths) => {
    const depth = depths.find(({ queue }) => queue === "message")
    return { ready: depth?.ready, leased: depth?.leased, waiting: depth?.waiting }
  })
).pipe(Effect.provide(QueueDepthsSql))
