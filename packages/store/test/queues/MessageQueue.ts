import { QueueDepths } from "@switchboard/services/queues/QueueDepths"
import { Effect } from "effect"
import { QueueDepthsSql } from "../../src/queues/QueueDepthsSql.js"

/** How much waits in the queue of messages, of all organizations. */
export const messageQueue = Effect.flatMap(QueueDepths, ({ all }) =>
  Effect.map(all, (depths) => {
    const depth = depths.find(({ queue }) => queue === "message")
    return { ready: depth?.ready, leased: depth?.leased, waiting: depth?.waiting }
  })
).pipe(Effect.provide(QueueDepthsSql))
