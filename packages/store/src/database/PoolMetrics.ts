import { byLabels } from "@switchboard/services/ByLabels"
import { Effect, Metric, MetricBoundaries, Predicate } from "effect"
import type { ClientBase, Pool } from "pg"

/** The connections for requests, or of a process that shares them for all; or those for background work alone. */
export type PoolName = "main" | "work"

/** In seconds. */
const boundaries = MetricBoundaries.fromIterable([
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
])

const statementSeconds = byLabels(
  Metric.histogram(
    "switchboard_database_statement_duration_seconds",
    boundaries,
    "Seconds of a statement on a connection of a pool (main, work)"
  )
)

const gauges = {
  size: byLabels(
    Metric.gauge("switchboard_database_connections_max", { description: "Maximum connections of a pool (main, work)" })
  ),
  used: byLabels(
    Metric.gauge("switchboard_database_connections_used", {
      description: "Connections of a pool (main, work) that run a statement or a transaction"
    })
  ),
  waiting: byLabels(
    Metric.gauge("switchboard_database_connections_waiting", {
      description: "Callers that wait for a connection of a pool (main, work)"
    })
  )
}

/** Measures the statements of a connection. */
export const measureStatements = (client: ClientBase, pool: PoolName): void => {
  const seconds = statementSeconds({ pool })
  client.query = new Proxy(client.query, {
    apply: (query, self, args: ReadonlyArray<unknown>) => {
      const callback = args.at(-1)
      if (!Predicate.isFunction(callback)) return Reflect.apply(query, self, args)
      const startedAt = performance.now()
      return Reflect.apply(query, self, [
        ...args.slice(0, -1),
        (error: unknown, result: unknown) => {
          seconds.unsafeUpdate((performance.now() - startedAt) / 1_000, [])
          callback(error, result)
        }
      ])
    }
  })
}

interface ObservedPool {
  readonly name: PoolName
  readonly pool: Pool
  /** The number of reads that wait before they request a connection (ReadSlots.ts). */
  readonly waitingReads: () => number
}

const observed = new Set<ObservedPool>()

/** Reports the use of a pool until the scope closes. */
export const observePool = (one: ObservedPool) =>
  Effect.acquireRelease(
    Effect.sync(() => observed.add(one)),
    () => Effect.sync(() => observed.delete(one))
  )

/** Reads the use of the pools of this process. */
export const readPools = Effect.sync(() => {
  for (const { name, pool, waitingReads } of observed) {
    const labels = { pool: name }
    gauges.size(labels).unsafeUpdate(pool.options.max, [])
    gauges.used(labels).unsafeUpdate(pool.totalCount - pool.idleCount, [])
    gauges.waiting(labels).unsafeUpdate(pool.waitingCount + waitingReads(), [])
  }
})
