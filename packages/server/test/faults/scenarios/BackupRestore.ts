import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Effect, Fiber } from "effect"
import { installation } from "../Installation.js"
import { type StoredMessage, storedMessages } from "../Ledger.js"
import { backUp, runCluster } from "../PostgresCluster.js"
import type { Scenario } from "../Scenario.js"
import { Truth } from "../Truth.js"
import { truthRelay } from "../TruthRelay.js"

const callers = 4

/** The number of accepted sends before each backup. */
const sendsBefore = 50

/**
 * The files of the database are copied while the service accepts and delivers. Processes on the restored copy continue:
 * no message from before the backup is missing, and no completed message is sent again.
 */
export const backupRestore: Scenario = {
  name: "backup-restore",
  about: "restores a backup made under load, and continues from it",
  rounds: { short: 1, full: 10 },
  run: ({ rounds }) =>
    Effect.gen(function* () {
      const { cluster, drained, end, folder, insist, ledger, report, start, truth } = yield* installation()
      const relay = yield* truthRelay(truth)
      const running = yield* start("serve", { SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
      const violations: Array<string> = []
      let restored = 0
      let serial = 0
      const send = Effect.suspend(() => insist(Effect.succeed(running.baseUrl), `c${serial++}@faults.test`))

      for (let round = 0; round < rounds; round++) {
        let isOver = false
        yield* Effect.replicateEffect(send, sendsBefore, { concurrency: callers, discard: true })
        const before = ledger.acked
        const calling = yield* Effect.replicateEffect(Effect.repeat(send, { until: () => isOver }), callers, {
          concurrency: "unbounded",
          discard: true
        }).pipe(Effect.fork)
        const target = join(folder, `backup${round}`)
        mkdirSync(target)
        yield* backUp(cluster, target)
        // Sends are accepted after the backup too.
        yield* send
        isOver = true
        yield* Fiber.join(calling)

        yield* Effect.scoped(
          Effect.gen(function* () {
            const url = new URL(cluster.url)
            url.port = String(yield* freePort)
            const copy = yield* runCluster(target, url.href)
            const messages = yield* copy.query<StoredMessage>(storedMessages)
            const [usage] = yield* copy.query<{ used: number }>(
              "SELECT sum(messages_used)::int AS used FROM organization_usage"
            )
            if (messages.length < before) violations.push(`${before} were accepted, and ${messages.length} restored`)
            if (messages.length > serial) violations.push(`${messages.length} restored of ${serial}`)
            if (usage?.used !== messages.length) violations.push(`${messages.length} restored, used ${usage?.used}`)
            restored += messages.length
            const again = new Truth()
            const second = yield* truthRelay(again)
            const worker = yield* start("worker", {
              DATABASE_URL: url.href,
              SMTP_URL: `smtp://127.0.0.1:${second.port}`
            })
            const open = messages.filter(({ status }) => ["pending", "queued", "processing"].includes(status))
            const left = copy.query<{ count: number }>(
              "SELECT count(*)::int AS count FROM message_states WHERE status <> 'delivered'"
            )
            yield* Effect.repeat(Effect.delay(left, "200 millis"), {
              until: ([row]) => row?.count === 0,
              times: 200
            })
            for (const { recipient } of messages) {
              const { copies } = again.of(recipient)
              const isOpen = open.some((one) => one.recipient === recipient)
              if (isOpen !== copies > 0) {
                violations.push(`${recipient}: ${copies} copies after the restore, ${isOpen ? "" : "not "}open before`)
              }
            }
            yield* end(worker)
          })
        )
      }
      yield* drained()
      return yield* report({ restores: rounds, restored }, violations)
    })
}
