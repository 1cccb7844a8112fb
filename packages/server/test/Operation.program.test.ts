import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { caller, temporaryFolder } from "./LiveService.js"
import { base, failing, launch, run } from "./ServiceProcess.js"

describe("The service as a process", () => {
  it.scopedLive("refuses invalid settings by name, and reports its health", () =>
    Effect.gen(function* () {
      const refused = (settings: Readonly<Record<string, string>>) =>
        Effect.flatMap(temporaryFolder, (folder) => failing(["serve"], { ...base(folder), ...settings }))
      const environment = base(yield* temporaryFolder)
      const [port, lease, away, { baseUrl }] = yield* Effect.all(
        [
          refused({ PORT: "many" }),
          refused({ LEASE_DURATION: "soon" }),
          refused({ DATABASE_URL: "postgres://unknown@127.0.0.1:1/none", DATABASE_WAIT: "0 seconds" }),
          launch("serve", environment)
        ],
        { concurrency: 4 }
      )
      assert.match(port, /^switchboard: PORT: /)
      assert.match(lease, /^switchboard: LEASE_DURATION: must be/)
      assert.match(away, /database/i)
      const texts = yield* Effect.forEach(["/healthz", "/readyz", "/metrics", "/v1/docs"], (path) =>
        Effect.promise(() => fetch(`${baseUrl}${path}`).then((response) => response.text()))
      )
      assert.deepStrictEqual(texts.slice(0, 2), ['{"status":"alive"}', '{"status":"ready"}'])
      for (const queue of ["queue", "inbound_queue", "forwarding_queue", "webhook_queue", "voice_call_queue"]) {
        for (const gauge of ["ready", "leased", "waiting", "oldest_seconds"]) {
          assert.include(texts[2], `switchboard_${queue}_${gauge} 0\n`)
        }
      }
      assert.notMatch(texts[3] ?? "", /(?:src|href)="https?:/)
      const { body: system } = yield* caller(baseUrl)("GET", "/v1/system")
      const { version } = JSON.parse(readFileSync(repositoryFile("packages/server/package.json"), "utf8"))
      assert.strictEqual(system.version, version)
      assert.strictEqual((yield* run(["--version"], {})).stdout.trim(), version)
      const { stdout } = yield* run(["doctor"], environment)
      assert.match(stdout, /^ok {7}Settings of the database$/m)
      assert.match(stdout, /^ok {7}Queues: empty$/m)
      assert.notMatch(stdout.trimEnd(), /^(?!ok {7}\S)/m)
    })
  )

  it.live("ends a defect with its cause", () =>
    Effect.gen(function* () {
      // `listen` makes its signing secret by this function.
      const broken = `import crypto from "node:crypto"
        import { syncBuiltinESMExports } from "node:module"
        crypto.randomBytes = () => { throw new TypeError("broken") }
        syncBuiltinESMExports()`
      const text = yield* failing(["listen", "--forward-to", "http://127.0.0.1:9"], {
        SWITCHBOARD_API_KEY: "key",
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(broken)}`
      })
      assert.match(text, /^switchboard: this is a bug of Switchboard: TypeError: broken\n +at /)
    })
  )
})
