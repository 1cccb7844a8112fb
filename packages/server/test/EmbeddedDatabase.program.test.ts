import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Array, Context, Effect, Layer } from "effect"
import { callerOnce, type ServiceResponse, send, temporaryFolder, until } from "./LiveService.js"
import { base, launch, stop } from "./ServiceProcess.js"

/** The service with its embedded database, and the process id of the database. */
class SelfSufficient extends Context.Tag("test/SelfSufficient")<
  SelfSufficient,
  {
    readonly call: ReturnType<typeof callerOnce>
    readonly database: Effect.Effect<number>
    readonly stop: Effect.Effect<number | null>
  }
>() {
  static readonly Live = Layer.scoped(
    SelfSufficient,
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const { baseUrl, child } = yield* launch("serve", {
        ...base(dataDir),
        // The local mailbox uses the same database and defers mail while it is down.
        RETRY_SCHEDULE: Array.replicate("500 millis", 12).join(", "),
        LOG_LEVEL: "none"
      })
      return {
        call: callerOnce(baseUrl),
        database: Effect.sync(() =>
          Number.parseInt(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10)
        ),
        stop: stop({ child })
      }
    })
  )
}

const rounds = 2
const sends = 10

const kill = (pid: number) => Effect.sync(() => process.kill(pid, "SIGKILL"))

/** Whether the last known process of the database is alive. */
const isRunning = (database: Effect.Effect<number>) =>
  database.pipe(
    Effect.flatMap((pid) => Effect.try(() => process.kill(pid, 0))),
    Effect.catchAllCause(() => Effect.succeed(false))
  )

layer(SelfSufficient.Live, { excludeTestServices: true })("The embedded database", (it) => {
  it.effect("restarts after it was killed, without loss of accepted messages", () =>
    Effect.gen(function* () {
      const { call, database } = yield* SelfSufficient
      const seen = new Set<number>()
      const insist = (body: object): Effect.Effect<ServiceResponse, ServiceResponse> =>
        until(
          Effect.tap(call("POST", "/v1/messages", body), ({ status }) => Effect.sync(() => seen.add(status))),
          ({ status }) => status === 201
        )

      const ids = new Set<string>()
      for (let round = 0; round < rounds; round++) {
        const killed = yield* database
        yield* kill(killed)
        const responses = yield* Effect.forEach(
          Array.makeBy(sends, () => send({ idempotencyKey: randomUUID() })),
          insist,
          { concurrency: "unbounded" }
        )
        for (const { body } of responses) ids.add(body.id)
        assert.notStrictEqual(yield* database, killed)
      }

      assert.deepStrictEqual([...seen].sort(), [201, 503])
      yield* Effect.forEach(
        ids,
        (id) => until(call("GET", `/v1/messages/${id}`), ({ body }) => body.status === "delivered"),
        { concurrency: 8 }
      )
      const { body } = yield* call("GET", "/v1/messages?limit=1")
      assert.deepStrictEqual([ids.size, body.pagination.total], [rounds * sends, rounds * sends])
    })
  )

  it.effect("does not restart when the service stops", () =>
    Effect.gen(function* () {
      const { database, stop } = yield* SelfSufficient
      yield* kill(yield* database)
      assert.strictEqual(yield* stop, 0)
      // A database that is just starting ends shortly after the service.
      yield* until(isRunning(database), (runs) => !runs)
    })
  )
})

describe("A second process on the same DATA_DIR", () => {
  it.scopedLive("reconnects after the first process was killed and restarted, with few log lines", () =>
    Effect.gen(function* () {
      const environment = base(yield* temporaryFolder)
      const first = yield* launch("serve", environment)
      const { baseUrl, child } = yield* launch("serve", environment)
      const call = callerOnce(baseUrl)
      let lines = 0
      child.stdout?.on("data", (chunk) => {
        lines += String(chunk).split("\n").length - 1
      })
      first.child.kill("SIGKILL")
      yield* until(call("GET", "/v1/messages"), ({ status }) => status === 503)
      yield* launch("serve", environment)
      yield* until(call("GET", "/v1/messages"), ({ status }) => status === 200)
      assert.strictEqual((yield* call("POST", "/v1/messages", send())).status, 201)
      assert.isAtLeast(lines, 1)
      assert.isBelow(lines, 20)
    })
  )
})
