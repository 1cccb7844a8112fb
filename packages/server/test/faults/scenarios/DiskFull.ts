import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { databaseTimeFactor } from "@switchboard/services/RequestDeadline"
import { Duration, Effect, Fiber } from "effect"
import { temporaryFolder } from "../../ServiceCalls.js"
import { installation } from "../Installation.js"
import type { Scenario } from "../Scenario.js"
import { truthRelay } from "../TruthRelay.js"

const callers = 4

/** Maximum time until sends are accepted after space is freed, in milliseconds. */
const recoveryLimit = 10_000 * databaseTimeFactor

/** A file system of 400 MB in memory, which requires root. */
const smallDisk = Effect.flatMap(temporaryFolder, (folder) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const disk = join(folder, "disk")
      mkdirSync(disk)
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m,mode=755", "tmpfs", disk])
      return disk
    }),
    (disk) => Effect.sync(() => execFileSync("umount", ["-l", disk]))
  )
)

/**
 * The disk of the database fills up while callers send, and is freed later: until then requests get 503 or no response,
 * and accepted messages remain.
 */
export const diskFull: Scenario = {
  name: "disk-full",
  about: "fills the disk of PostgreSQL, and frees it",
  rounds: { short: 1, full: 10 },
  limits: { recoveryMs: recoveryLimit },
  obstacle: () => (process.getuid?.() === 0 ? null : "only root can mount a small disk"),
  run: ({ rounds }) =>
    Effect.gen(function* () {
      const disk = yield* smallDisk
      const { client, cluster, drained, insist, ledger, report, start, truth } = yield* installation({}, { disk })
      const relay = yield* truthRelay(truth)
      const running = yield* start("serve", { SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
      const baseUrl = Effect.succeed(running.baseUrl)
      const ballast = join(disk, "ballast")
      const violations: Array<string> = []
      let serial = 0
      let isOver = false
      let recoveryMs = 0
      const next = Effect.suspend(() => insist(baseUrl, `f${serial++}@faults.test`))
      const calling = yield* Effect.forEach(
        Array.from({ length: callers }),
        () => Effect.repeat(Effect.delay(next, "10 millis"), { until: () => isOver }),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.fork)
      for (let round = 0; round < rounds; round++) {
        yield* Effect.sleep("500 millis")
        const { bavail, bsize } = statfsSync(disk)
        // The write fails if PostgreSQL takes some of the space first: the disk is full then too.
        yield* Effect.ignore(
          Effect.try(() => writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 256 * 1024))))
        )
        yield* cluster.query("SELECT pg_switch_wal()").pipe(Effect.ignore)
        yield* Effect.sleep("3 seconds")
        const acked = ledger.acked
        yield* Effect.sleep("1 second")
        if (ledger.acked > acked) violations.push("sends are accepted although the disk is full: it was not")
        const { status } = yield* client(running.baseUrl, "GET", "/healthz")
        if (status !== 200) violations.push(`/healthz answered ${status}`)
        rmSync(ballast)
        const [took] = yield* Effect.timed(Effect.zipRight(cluster.ready, next))
        recoveryMs = Math.max(recoveryMs, Math.round(Duration.toMillis(took)))
      }
      isOver = true
      yield* Fiber.join(calling)
      yield* drained()
      return yield* report({ fills: rounds, recoveryMs }, violations)
    })
}
