import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { adminKey } from "./LiveService.js"
import { failingCommand, runCommand } from "./TestCommand.js"
import { testSettings } from "./TestService.js"

layer(TestDatabaseUrl.Live, { excludeTestServices: true })("Commands", (it) => {
  it.effect("ends a usage error with the command that prints the usage", () =>
    Effect.gen(function* () {
      const outputs = yield* Effect.forEach([["keys", "create"], ["unknown"]], (args) => failingCommand(args, {}))
      for (const text of outputs) assert.match(text, /\nRun "switchboard --help" for [^\n]*\n$/)
    })
  )

  it.scoped("reports invalid arguments in one line, and accepts the slug of an organization", () =>
    Effect.gen(function* () {
      const environment = testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey)
      const { stdout } = yield* runCommand(["organizations", "create", "--name", "Ada's", "--slug", "ada"], environment)
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
      const outputs = yield* Effect.forEach(refusals, ([args]) => failingCommand(args, environment), { concurrency: 4 })
      assert.deepStrictEqual(
        outputs,
        refusals.map(([, sentence]) => sentence)
      )

      yield* runCommand(["organizations", "set-plan", "--organization", "ada", "--plan", "free"], environment)
      yield* runCommand(["keys", "create", "--name", "by slug", "--organization", "ada"], environment)
      yield* runCommand(["keys", "create", "--name", "by id", "--organization", id.toUpperCase()], environment)
      const lists = yield* Effect.forEach(["organizations", "keys"], (what) => runCommand([what, "list"], environment))
      assert.match(lists[0]?.stdout ?? "", new RegExp(`^${id} {2}free `))
      const keys = (lists[1]?.stdout ?? "").trimEnd().split("\n")
      assert.deepStrictEqual(
        keys.map((line) => line.split("  ").slice(3)),
        [
          [id, "by id"],
          [id, "by slug"]
        ]
      )
    })
  )
})
