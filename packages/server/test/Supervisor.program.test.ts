import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Redacted } from "effect"
import { callerOnce, repeatUnavailable, send, temporaryFolder, until } from "./LiveService.js"
import { base, ended, failing, launch } from "./ServiceProcess.js"

const childrenOf = (pid = 0): ReadonlyArray<number> =>
  execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("switchboard.js"))
    .map((line) => Number.parseInt(line, 10))

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Requests the metrics on a new connection. */
const scrape = (url: string) =>
  Effect.promise(async () => {
    const [response] = await once(get(url, { agent: false }), "response")
    return text(response)
  })

/** Settings for several processes with fixed ports. */
const shared = Effect.gen(function* () {
  const port = yield* freePort
  const inbound = yield* freePort
  const mailbox = yield* freePort
  const handset = yield* freePort
  return {
    ...base(yield* temporaryFolder),
    PORT: String(port),
    INBOUND_SMTP_PORT: String(inbound),
    MAILBOX_SMTP_PORT: String(mailbox),
    HANDSET_SMPP_PORT: String(handset),
    RATE_LIMIT_REQUESTS: "100"
  }
})

describe("switchboard serve --processes", () => {
  it.scopedLive("shares ports and database among processes, restarts a killed process, and stops all", () =>
    Effect.gen(function* () {
      const warnings = join(yield* temporaryFolder, "warnings")
      const environment = { ...(yield* shared), NODE_OPTIONS: `--redirect-warnings=${warnings}` }
      const service = yield* launch("serve", environment, ["--processes", "2"])
      const pids = () => childrenOf(service.child.pid)
      yield* until(Effect.sync(pids), (all) => all.length === 2)
      const call = callerOnce(service.baseUrl)
      const sent = yield* Effect.forEach(
        Array.range(1, 20),
        () => repeatUnavailable(call("POST", "/v1/messages", send())),
        {
          concurrency: 8
        }
      )
      assert.deepStrictEqual([...new Set(sent.map(({ status }) => status))], [201])
      // Each process has half of 100 per second, and bursts of twice that.
      assert.strictEqual(sent[0]?.headers.get("ratelimit-limit"), "100")
      const statusOf = ({ id }: { readonly id: string }) =>
        Effect.map(call("GET", `/v1/messages/${id}`), ({ body }) => body.status)
      yield* until(
        Effect.forEach(sent, ({ body }) => statusOf(body)),
        (all) => all.every((status) => status === "delivered")
      )
      // Different processes respond, all with the sums.
      const scrapes = yield* Effect.forEach(Array.range(1, 30), () => scrape(`${service.baseUrl}/metrics`))
      const started = scrapes.map((text) => Number(/^effect_fiber_started (\d+)$/m.exec(text)?.[1]))
      assert.deepStrictEqual(
        started,
        [...started].sort((a, b) => a - b)
      )
      for (const text of scrapes) assert.match(text, /^switchboard_queue_ready 0$/m)
      // Node warns about an emitter with more than ten listeners.
      assert.strictEqual(existsSync(warnings) ? readFileSync(warnings, "utf8") : "", "")

      const [first = 0] = pids()
      process.kill(first, "SIGKILL")
      yield* until(Effect.sync(pids), (all) => all.length === 2 && !all.includes(first))
      // If it was the only one with an open port, connections are refused until another process listens.
      const sending = Effect.map(call("POST", "/v1/messages", send()), ({ status }) => status)
      yield* until(
        Effect.catchAllDefect(sending, () => Effect.succeed(0)),
        (status) => status === 201
      )

      const last = pids()
      service.child.kill("SIGTERM")
      assert.strictEqual(yield* ended(service.child), 0)
      assert.deepStrictEqual(last.filter(isAlive), [])
    })
  )

  it.scopedLive("refuses invalid process counts, and ports that can't be shared", () =>
    Effect.gen(function* () {
      const environment = yield* shared
      const refused = yield* Effect.forEach(
        [
          failing(["serve", "--processes", "0"], environment),
          failing(["serve", "--processes", "two"], environment),
          failing(["serve", "--processes", "2"], { ...environment, PORT: "0" }),
          failing(["serve", "--processes", "2"], { ...environment, METRICS_PORT: "0" })
        ],
        (output) => output
      )
      assert.deepStrictEqual(refused, [
        "switchboard: --processes must be a number from 1 to 64, or auto\n",
        "switchboard: --processes must be a number from 1 to 64, or auto\n",
        "switchboard: PORT=0 takes a free port, which several processes can't share: set PORT to a port number\n",
        "switchboard: METRICS_PORT=0 takes a free port, which several processes can't share: set METRICS_PORT to a port number\n"
      ])
    })
  )

  it.scopedLive("exits if its first process can't start", () =>
    Effect.gen(function* () {
      const output = yield* failing(["serve", "--processes", "2"], {
        ...(yield* shared),
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
        HOST: "203.0.113.1"
      })
      assert.match(
        output,
        /^switchboard: The API can't listen[^\n]*\nswitchboard: The first process ended with code 1: correct the error above\n$/
      )
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )
})
