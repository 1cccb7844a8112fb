import { performance } from "node:perf_hooks"
import type { QueueDepth, QueueName } from "@switchboard/domain/system/SystemStatus"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { readPools } from "@switchboard/store/database/PoolMetrics"
import { Effect, Metric } from "effect"

/** The metrics of the message queue have no queue name, for compatibility: it was the first queue. */
const nameOf = (queue: QueueName) => (queue === "message" ? "switchboard_queue" : `switchboard_${queue}_queue`)

/** Whether a metric is a queue depth, which has the same value in all processes. */
export const isQueueMetric = (name: string): boolean => /^switchboard_(?:\w+_)?queue_/.test(name)

/** Gauges with the same name share their state. */
const gaugesOf = (queue: QueueName) => {
  const name = nameOf(queue)
  return {
    ready: Metric.gauge(`${name}_ready`, { description: "Entries that are ready for a worker" }),
    leased: Metric.gauge(`${name}_leased`, { description: "Entries that workers have leased" }),
    waiting: Metric.gauge(`${name}_waiting`, { description: "Entries that are scheduled for later" }),
    oldestSeconds: Metric.gauge(`${name}_oldest_seconds`, { description: "Age of the oldest ready entry, in seconds" }),
    paused: Metric.gauge(`${name}_paused`, {
      description: "1 while nothing of the queue is sent: a pause or a held copy"
    })
  }
}

const setGauges = ({ isPaused, leased, oldestSeconds, queue, ready, waiting }: QueueDepth) => {
  const own = gaugesOf(queue)
  return Effect.all([
    Metric.set(own.ready, ready),
    Metric.set(own.leased, leased),
    Metric.set(own.waiting, waiting),
    Metric.set(own.oldestSeconds, oldestSeconds),
    Metric.set(own.paused, isPaused ? 1 : 0)
  ])
}

const pausedDomains = Metric.gauge("switchboard_queue_paused_domains", {
  description: "Domains whose mail waits until they are resumed"
})

/**
 * Reads the depth of each queue and the number of paused domains. While the database is unavailable, the gauges keep
 * their last values.
 */
export const readQueues = Effect.flatMap(QueueDepths, (depths) =>
  Effect.ignore(
    Effect.zipRight(
      Effect.flatMap(depths.all, Effect.forEach(setGauges, { discard: true })),
      Effect.flatMap(depths.pausedDomains, (count) => Metric.set(pausedDomains, count))
    )
  )
)

const busySeconds = Metric.gauge("switchboard_event_loop_busy_seconds", {
  description: "Seconds since the start in which the event loop was busy; its rate is the utilization of one core"
})
const residentBytes = Metric.gauge("switchboard_resident_memory_bytes", {
  description: "Resident memory, in bytes"
})
const heapBytes = Metric.gauge("switchboard_heap_used_bytes", {
  description: "Used heap of JavaScript, in bytes"
})

/** Reads the figures of this process. */
const readProcess = Effect.suspend(() => {
  const { heapUsed, rss } = process.memoryUsage()
  return Effect.all(
    [
      Metric.set(busySeconds, performance.eventLoopUtilization().active / 1000),
      Metric.set(residentBytes, rss),
      Metric.set(heapBytes, heapUsed)
    ],
    { discard: true }
  )
})

/** Updates the gauges of this process. */
export const readGauges = Effect.zipRight(readProcess, readPools)
