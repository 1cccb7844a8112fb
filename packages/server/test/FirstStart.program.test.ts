import { execFile } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { caller, temporaryFolder } from "./LiveService.js"
import { base, failing, launch, program, run } from "./ServiceProcess.js"

const linksIn = (output: string) => output.match(/http:\S+\/console\/#login=[\w-]{43}/g) ?? []

const keysIn = (output: string) => output.match(/sk_sm_\w{40}/g) ?? []

describe("The first start", () => {
  it.scopedLive("names a port in use, and writes the key to a file that is not in the log", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabaseUrl
      const folder = yield* temporaryFolder
      const { BOOTSTRAP_API_KEY: _, ...unknownKey } = base(folder)
      const environment = { ...unknownKey, DATABASE_URL: Redacted.value(url) }
      const { port } = yield* receiver((response) => response.end())
      const refused = yield* Effect.forEach(
        ["PORT", "METRICS_PORT", "MAILBOX_SMTP_PORT", "INBOUND_SMTP_PORT"],
        (setting) =>
          Effect.map(failing(["serve"], { ...environment, [setting]: String(port) }), (output) => ({
            setting,
            output
          })),
        { concurrency: "unbounded" }
      )
      for (const { output, setting } of refused) {
        assert.match(
          output,
          new RegExp(`^switchboard: .*127\\.0\\.0\\.1:${port} .*: set ${setting} to a free port\\n$`)
        )
      }
      const invalid = yield* failing(["serve"], { ...environment, LOG_FORMAT: "json", PORT: "many" })
      assert.deepInclude(JSON.parse(invalid), {
        logLevel: "ERROR",
        message: "PORT: must be a whole number from 0 to 65535"
      })

      const [first, second] = [
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { baseUrl, output } = yield* launch("serve", environment)
            const [, file = "no file was named"] = /^The first API key is in (\S+):/m.exec(output()) ?? []
            assert.strictEqual(file, join(folder, "first-api-key"))
            assert.strictEqual(statSync(file).mode & 0o777, 0o600)
            const key = readFileSync(file, "utf8").trim()
            assert.strictEqual((yield* caller(baseUrl, key)("GET", "/v1/messages")).status, 200)
            return output()
          })
        ),
        (yield* launch("serve", { ...environment, LOG_FORMAT: "json", LOG_LEVLE: "info" })).output()
      ]
      assert.deepStrictEqual([keysIn(first), keysIn(second)], [[], []])
      assert.deepStrictEqual([linksIn(first).length, linksIn(second).length], [1, 0])
      const lines = second
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).message)
      assert.isTrue(lines.some((line) => /^LOG_LEVLE is not a setting/.test(line)))
      assert.match(lines.at(-1), /^Switchboard serves http/)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )

  it.scopedLive("fixes the master key: later starts and the doctor report another key", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabaseUrl
      const folder = yield* temporaryFolder
      const { MASTER_KEY: _, ...unkeyed } = base(folder)
      const own = { ...unkeyed, DATABASE_URL: Redacted.value(url) }
      const keyed = { ...own, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
      const wrong = { ...own, MASTER_KEY: Buffer.alloc(32, 8).toString("base64") }
      yield* Effect.scoped(launch("serve", keyed))
      const refusal = "MASTER_KEY is not the key that this database's secrets are stored under"
      const [refused, refusedWorker, file, well, ill] = yield* Effect.all(
        [
          failing(["serve"], wrong),
          failing(["worker"], wrong),
          failing(["serve"], own),
          run(["doctor"], keyed),
          Effect.flip(
            Effect.tryPromise(() => promisify(execFile)(process.execPath, [program, "doctor"], { env: wrong }))
          )
        ],
        { concurrency: 3 }
      )
      for (const output of [refused, refusedWorker]) assert.include(output, `switchboard: ${refusal}`)
      assert.match(file, /^switchboard: \S+master\.key does not contain the key/)
      assert.isFalse(existsSync(join(folder, "master.key")))
      assert.match(well.stdout, /^ok {7}Master key$/m)
      assert.include(String(Reflect.get(Object(ill.error), "stdout")), `error    Master key\n         ${refusal}`)
      yield* Effect.scoped(launch("serve", keyed))
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )
})
