import { assert, describe, it } from "@effect/vitest"
import { scriptedRelay } from "@switchboard/channels/testing/ScriptedRelay"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Redacted } from "effect"
import { caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, launch } from "./ServiceProcess.js"
import { smtpSink } from "./SmtpSink.js"

/** The connections of a worker, and the part that one organization may use. */
const concurrency = 10
const places = 8

const count = 60

describe("A message whose worker", () => {
  it.scopedLive("is killed five times before the relay greets is delivered after the greeting", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink
      let connections = 0
      const silent = yield* scriptedRelay({
        greeting: () => {
          connections += 1
          return "silence"
        }
      })
      const environment = {
        ...base(yield* temporaryFolder),
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
        SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
        SMTP_CONFIRMATION: "accept",
        WORKER_CONCURRENCY: String(concurrency),
        LEASE_DURATION: "2 seconds"
      }
      const { baseUrl } = yield* launch("api", environment)
      const call = caller(baseUrl)
      yield* Effect.forEach(Array.range(1, count), () => call("POST", "/v1/messages", send()), { concurrency: 16 })
      const inStatus = (status: string) =>
        Effect.map(call("GET", `/v1/messages?limit=1&status=${status}`), ({ body }): number => body.pagination.total)
      for (const _ of Array.range(1, 5)) {
        const before = connections
        const { child } = yield* launch("worker", environment)
        // All its attempts wait for the relay.
        yield* until(
          Effect.sync(() => connections),
          (now) => now >= before + places
        )
        child.kill("SIGKILL")
      }
      // Longer than the pauses of a worker on a slow machine, so that it keeps its leases.
      const lease = { LEASE_DURATION: "20 seconds" }
      yield* launch("worker", { ...environment, ...lease, SMTP_URL: `smtp://127.0.0.1:${sink.port}` })
      yield* until(inStatus("delivered"), (delivered) => delivered === count)
      assert.strictEqual(yield* inStatus("failed"), 0)
      assert.lengthOf(sink.mails, count)
      // A process without a worker has no relay.
      const metrics = yield* Effect.promise(() => fetch(`${baseUrl}/metrics`).then((response) => response.text()))
      assert.notInclude(metrics, "switchboard_relay_paused")
      assert.match(metrics, /^switchboard_accept_duration_seconds_count [1-9]/m)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )
})
