import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { temporaryFolder } from "./LiveService.js"
import { base, failing, run } from "./ServiceProcess.js"

describe("Commands", () => {
  it.live("prints the version of package.json", () =>
    Effect.gen(function* () {
      const { version } = JSON.parse(readFileSync(repositoryFile("packages/server/package.json"), "utf8"))
      assert.strictEqual((yield* run(["--version"], {})).stdout.trim(), version)
    })
  )

  it.live("ends a usage error with the command that prints the usage", () =>
    Effect.gen(function* () {
      const outputs = yield* Effect.forEach([["keys", "create"], ["unknown"]], (args) => failing(args, {}))
      for (const text of outputs) assert.match(text, /\nRun "switchboard --help" for [^\n]*\n$/)
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

  it.scopedLive(
    "reports invalid arguments in one line, and accepts the slug of an organization",
    () =>
      Effect.gen(function* () {
        const environment = { ...base(yield* temporaryFolder), DATABASE_URL: Redacted.value(yield* TestDatabaseUrl) }
        const { stdout } = yield* run(["organizations", "create", "--name", "Ada's", "--slug", "ada"], environment)
        const id = stdout.trim()
        const noOrganization =
          'switchboard: There is no organization "nope": run "switchboard organizations list" for ids and slugs\n'
        const noKey = 'switchboard: There is no API key with this id: run "switchboard keys list" for the ids\n'
        const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
          [["keys", "create", "--name", "k", "--organization", "nope"], noOrganization],
          [["organizations", "set-plan", "--organization", "nope", "--plan", "free"], noOrganization],
          [["erase", "--organization", "nope", "eve@example.com"], noOrganization],
          [["keys", "revoke", "nope"], noKey],
          [["keys", "revoke", id], noKey],
          [
            ["organizations", "create", "--name", "B", "--slug", "A B"],
            "switchboard: --slug must be 1 to 63 lowercase letters, digits and hyphens, with no hyphen at either end\n"
          ],
          [
            ["organizations", "create", "--name", "B", "--slug", "b", "--sender", "unknown"],
            "switchboard: --sender must be an email address like ada@example.com\n"
          ]
        ]
        const outputs = yield* Effect.forEach(refusals, ([args]) => failing(args, environment), { concurrency: 4 })
        assert.deepStrictEqual(
          outputs,
          refusals.map(([, sentence]) => sentence)
        )

        yield* run(["organizations", "set-plan", "--organization", "ada", "--plan", "free"], environment)
        yield* run(["keys", "create", "--name", "by slug", "--organization", "ada"], environment)
        yield* run(["keys", "create", "--name", "by id", "--organization", id.toUpperCase()], environment)
        const lists = yield* Effect.forEach(["organizations", "keys"], (what) => run([what, "list"], environment))
        assert.match(lists[0]?.stdout ?? "", new RegExp(`^${id} {2}free `))
        const keys = (lists[1]?.stdout ?? "").trimEnd().split("\n")
        assert.deepStrictEqual(
          keys.map((line) => line.split("  ").slice(3)),
          [
            [id, "by id"],
            [id, "by slug"]
          ]
        )
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )
})
