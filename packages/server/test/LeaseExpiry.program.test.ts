import { assert, describe, it } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Redacted } from "effect"
import { gatedRelay } from "./GatedRelay.js"
import { caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, launch } from "./ServiceProcess.js"
import { smtpSink } from "./SmtpSink.js"

/** The connections of a worker, the part that one organization may use, and the attempts that it begins for them. */
const concurrency = 10
const places = 8
const attempts = 2 * places

/** Longer than the pauses of a worker on a slow machine, so that it keeps its leases. */
const keptLease = "20 seconds"

/** Starts an API process and sends messages for a relay that does not greet yet. */
const waiting = (count: number, lease: string) =>
  Effect.gen(function* () {
    const sink = yield* smtpSink
    const relay = yield* gatedRelay(sink.port)
    const environment = {
      ...base(yield* temporaryFolder),
      DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
      SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
      SMTP_CONFIRMATION: "accept",
      WORKER_CONCURRENCY: String(concurrency),
      LEASE_DURATION: lease
    }
    const call = caller((yield* launch("api", environment)).baseUrl)
    yield* Effect.forEach(Array.range(1, count), () => call("POST", "/v1/messages", send()), { concurrency: 16 })
    const inStatus = (status: string) =>
      Effect.map(call("GET", `/v1/messages?limit=1&status=${status}`), ({ body }): number => body.pagination.total)
    /** Starts a worker; completes when all its attempts wait for the relay. */
    const worker = Effect.gen(function* () {
      const before = relay.connections()
      const { child } = yield* launch("worker", environment)
      yield* until(Effect.sync(relay.connections), (now) => now >= before + Math.min(count, places))
      return child
    })
    return { call, environment, inStatus, relay, sink, worker }
  })

describe("A message whose worker", () => {
  it.scopedLive("is killed five times before the relay greets is delivered after the greeting", () =>
    Effect.gen(function* () {
      const { environment, inStatus, relay, sink, worker } = yield* waiting(60, "2 seconds")
      yield* Effect.forEach(Array.range(1, 5), () => Effect.map(worker, (child) => child.kill("SIGKILL")))
      yield* relay.open
      yield* launch("worker", { ...environment, LEASE_DURATION: keptLease })
      yield* until(inStatus("delivered"), (count) => count === 60)
      assert.strictEqual(yield* inStatus("failed"), 0)
      assert.lengthOf(sink.mails, 60)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )

  it.scopedLive("waits for the relay is shown as processing", () =>
    Effect.gen(function* () {
      const { inStatus, relay, worker } = yield* waiting(3, keptLease)
      yield* worker
      yield* until(inStatus("processing"), (count) => count === 3)
      yield* relay.open
      yield* until(inStatus("delivered"), (count) => count === 3)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )

  it.scopedLive("was paused beyond its lease is not sent twice, unless its attempt had begun", () =>
    Effect.gen(function* () {
      const { call, environment, inStatus, relay, sink, worker } = yield* waiting(40, keptLease)
      const paused = yield* worker
      paused.kill("SIGSTOP")
      yield* launch("worker", { ...environment, SMTP_URL: `smtp://127.0.0.1:${sink.port}` })
      yield* until(inStatus("delivered"), (count) => count === 40)
      yield* relay.open
      paused.kill("SIGCONT")
      // The resumed worker leases new messages after the expired ones.
      yield* Effect.forEach(Array.range(1, 20), () => call("POST", "/v1/messages", send()), { concurrency: 16 })
      yield* until(inStatus("delivered"), (count) => count === 60)
      const { body } = yield* call("GET", "/v1/messages?limit=100")
      const marked = new Set<string>(
        body.items
          .filter(
            ({ statusHistory }: { statusHistory: ReadonlyArray<{ metadata?: { possibleDuplicate?: boolean } }> }) =>
              statusHistory.some(({ metadata }) => metadata?.possibleDuplicate === true)
          )
          .map(({ emailMetadata }: { emailMetadata: { messageId: string } }) => emailMetadata.messageId)
      )
      assert.isAtMost(marked.size, attempts)
      const seen = new Set<string>()
      for (const { parsed } of sink.mails) {
        const id = parsed.messageId ?? ""
        if (seen.has(id)) assert.isTrue(marked.has(id), `${id} was sent twice`)
        seen.add(id)
      }
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )
})
