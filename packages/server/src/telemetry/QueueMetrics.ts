import { type QueueDepth, QueueDepths, type QueueName } from "@switchboard/services/queues/QueueDepths"
import { Effect, Metric } from "effect"

/** Messages had a queue before all others did. */
const nameOf = (queue: QueueName) => (queue === "message" ? "switchboard_queue" : `switchboard_${queue}_queue`)

/** Whether a metric tells how much waits in a queue, which is the same for all processes. */
export const isQueueMetric = (name: string): boolean => /^switchboard_(?:\w+_)?queue_/.test(name)

/** A gauge is the same wherever it has the same name. */
const gaugesOf = (queue: QueueName) => {
  const name = nameOf(queue)
  return {
    ready: Metric.gauge(`${name}_ready`, { description: "What waits for a worker" }),
    leased: Metric.gauge(`${name}_leased`, { description: "What workers hold" }),
    waiting: Metric.gauge(`${name}_waiting`, { description: "What waits for its time" }),
    oldestSeconds: Metric.gauge(`${name}_oldest_seconds`, { description: "How long the oldest waits for a worker" })
  }
}

const show = ({ leased, oldestSeconds, queue, ready, waiting }: QueueDepth) => {
  const own = gaugesOf(queue)
  return Effect.all([
    Metric.set(own.ready, ready),
    Metric.set(own.leased, leased),
    Metric.set(own.waiting, waiting),
    Metric.set(own.oldestSeconds, oldestSeconds)
  ])
}

/** Reads how much waits in each queue now. While the database is away, what was read last stands. */
export const readQueues = Effect.flatMap(QueueDepths, ({ all }) =>
  Effect.ignore(Effect.flatMap(all, (depths) => Effect.forEach(depths, show, { discard: true })))
)
