import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { adminKey, caller } from "../LiveService.js"
import { failingCommand, runCommand } from "../TestCommand.js"
import { startService, testSettings } from "../TestService.js"

const invalidNumber =
  'NUMBER must be a number like +4930123456, a short code of 3 to 8 digits, or 1 to 11 GSM 03.38 characters with a letter. Run "switchboard numbers add --help" for the arguments and options'

layer(TestDatabaseUrl.Live, { excludeTestServices: true })("switchboard numbers", (it) => {
  it.scoped("adds, lists and removes the numbers of organizations", () =>
    Effect.gen(function* () {
      const environment = testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey)
      const run = (...args: ReadonlyArray<string>) =>
        Effect.map(runCommand(["numbers", ...args], environment), ({ stdout }) => stdout)
      const { stdout } = yield* runCommand(["organizations", "create", "--name", "Ada", "--slug", "ada"], environment)
      const id = stdout.trim()
      assert.strictEqual(
        yield* run("add", "+4930123456", "--organization", "ada", "--channels", "sms,whatsapp,voice"),
        "Added +4930123456 to ada for sms, whatsapp, voice\n"
      )
      assert.strictEqual(yield* run("add", "Ada GmbH", "--organization", id), "Added Ada GmbH to ada for sms\n")
      const json = JSON.parse(yield* run("list", "--organization", "ada", "--json"))
      assert.deepStrictEqual(
        json.map(({ createdAt, id: _, ...one }: Readonly<Record<string, unknown>>) => one),
        [
          { number: "+4930123456", channels: ["sms", "whatsapp", "voice"], organizationId: id },
          { number: "Ada GmbH", channels: ["sms"], organizationId: id }
        ]
      )
      const table = yield* run("list")
      assert.match(
        table,
        /^NUMBER +ORGANIZATION +CHANNELS +ADDED\n\+4930123456 +ada +sms, whatsapp, voice +\d{4}-\S+Z\n/
      )

      yield* runCommand(["organizations", "create", "--name", "Bob", "--slug", "bob"], environment)
      const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["add", "4930123456", "--organization", "ada"], invalidNumber],
        [["add", "ABCDEFGHIJKL", "--organization", "ada"], invalidNumber],
        [["add", "12", "--organization", "ada"], invalidNumber],
        [
          ["add", "123", "--organization", "ada", "--channels", "sms,fax"],
          "--channels must be one of sms, whatsapp, voice"
        ],
        [["add", "123", "--organization", "ada", "--channels", "sms,sms"], "--channels must not be named twice"],
        [["add", "+4930123456", "--organization", "ada"], "The organization has the number +4930123456 already"],
        [["add", "+4930123456", "--organization", "bob"], "Another organization has the number +4930123456 already"],
        [
          ["remove", "+4930123456", "--organization", "bob"],
          'bob has no number +4930123456: run "switchboard numbers list" for its numbers'
        ],
        [
          ["add", "123", "--organization", "nope"],
          'There is no organization "nope": run "switchboard organizations list" for ids and slugs'
        ]
      ]
      const outputs = yield* Effect.forEach(refusals, ([args]) => failingCommand(["numbers", ...args], environment), {
        concurrency: 4
      })
      assert.deepStrictEqual(
        outputs,
        refusals.map(([, sentence]) => `switchboard: ${sentence}\n`)
      )
      assert.strictEqual(yield* run("remove", "Ada GmbH", "--organization", "ada"), "Removed Ada GmbH from ada\n")
      assert.lengthOf(JSON.parse(yield* run("list", "--json")), 1)
    })
  )
})

layer(TestDatabaseUrl.Live, { excludeTestServices: true })("The first start", (it) => {
  it.scoped("gives the first organization a number on the local handset, once", () =>
    Effect.gen(function* () {
      const environment = testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey)
      const start = Effect.scoped(
        Effect.gen(function* () {
          const { baseUrl } = yield* startService(environment)
          const { body } = yield* caller(baseUrl)("GET", "/v1/numbers")
          return body.items
        })
      )
      const [number, ...others] = yield* start
      assert.isEmpty(others)
      assert.deepInclude(number, { number: "+15550100000", channels: ["sms", "whatsapp", "voice"] })
      assert.deepStrictEqual(yield* start, [number])
    })
  )
})
