import { performance } from "node:perf_hooks"
import { readPools } from "@switchboard/store/database/PoolMetrics"
import { Effect, Metric } from "effect"

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
