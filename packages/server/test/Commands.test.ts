import { Terminal } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { OrganizationId, OrganizationSummary } from "@switchboard/domain/organizations/Organization"
import { chosenOrganization, IsInteractive } from "@switchboard/server/organizations/NamedOrganization"
import { tableOf } from "@switchboard/server/run/Output"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { DateTime, Effect, Layer, Mailbox, Option, Redacted } from "effect"
import { adminKey } from "./LiveService.js"
import { failingCommand, runCommand } from "./TestCommand.js"
import { testSettings } from "./TestService.js"

/** A terminal on which these keys are pressed. */
const pressing = (...names: ReadonlyArray<string>) =>
  Layer.succeed(
    Terminal.Terminal,
    Terminal.Terminal.of({
      columns: Effect.succeed(80),
      rows: Effect.succeed(24),
      isTTY: Effect.succeed(true),
      readInput: Effect.gen(function* () {
        const keys = yield* Mailbox.make<Terminal.UserInput>()
        for (const name of names) {
          yield* keys.offer({ input: Option.none(), key: { name, ctrl: false, meta: false, shift: false } })
        }
        return keys
      }),
      readLine: Effect.never,
      display: () => Effect.void
    })
  )

const organization = (slug: string) =>
  new OrganizationSummary({
    id: OrganizationId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441"),
    name: `The ${slug}`,
    slug,
    plan: "free",
    defaultCurrency: "USD",
    isActive: true,
    messagesUsedThisMonth: 0,
    createdAt: DateTime.unsafeMake("2026-11-23T10:00:00Z")
  })

const organizationsOf = (...slugs: ReadonlyArray<string>) =>
  Organizations.Default.pipe(
    Layer.provide(Layer.mock(OrganizationRepo, { list: Effect.succeed(slugs.map(organization)) }))
  )

layer(TestDatabaseUrl.Live, { excludeTestServices: true })("Commands", (it) => {
  it.effect("print help with the complete command, and each option with its placeholder and default", () =>
    Effect.gen(function* () {
      const [all, keys, create] = yield* Effect.forEach(
        [["--help"], ["keys"], ["keys", "create", "--name", "k", "-h"]],
        (args) => Effect.map(runCommand(args, {}), ({ stdout }) => stdout)
      )
      assert.match(all ?? "", /^Usage: switchboard COMMAND\n/)
      assert.match(all ?? "", /^ {2}keys create {2,}Creates an API key and prints it$/m)
      assert.match(all ?? "", /^ {2}DATABASE_URL, DATABASE_URL_FILE \(URL; default: the embedded PostgreSQL\)$/m)
      assert.match(keys ?? "", /^Usage: switchboard keys COMMAND\n/)
      assert.match(create ?? "", /^Usage: switchboard keys create --name NAME \[--organization ID_OR_SLUG\] /)
      assert.match(create ?? "", /^ {2}--role admin\|sender\|viewer {2}permissions of the key; default: admin$/m)
      for (const text of [all, keys, create]) assert.notMatch(text ?? "", /\u001b|user-defined|is optional/)
    })
  )

  it.effect("report a wrong command or option in one line, with the command that prints the help", () =>
    Effect.gen(function* () {
      const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["unknown"], 'There is no command "switchboard unknown". Run "switchboard --help" for the commands'],
        [
          ["keys", "lst"],
          'There is no command "switchboard keys lst". Did you mean "switchboard keys list"? Run "switchboard keys --help" for the commands'
        ],
        [
          ["keys", "create"],
          `Expected to find option: '--name'. Run "switchboard keys create --help" for the arguments and options`
        ],
        [["keys", "--all"], 'Unknown argument --all. Run "switchboard keys --help" for the arguments and options'],
        [
          ["keys", "list", "all"],
          'Unknown argument all. Run "switchboard keys list --help" for the arguments and options'
        ],
        [["queues", "pause", "--channel", "fax"], "--channel must be one of email, sms, whatsapp, webhook"],
        [["serve", "--processes", "65"], "--processes must be a number from 1 to 64, or auto"],
        [["release", "--since", "soon"], "--since must be a time such as 2026-11-23T10:00:00Z"],
        [
          ["keys", "create", "--name", "k", "--expires-in", "30"],
          '--expires-in must be a duration like "5 seconds" or "5s", not "30"'
        ],
        [["keys", "create", "--name", "k", "--expires-in", "0s"], "--expires-in must be from 1 second to 36500 days"]
      ]
      const outputs = yield* Effect.forEach(refusals, ([args]) => failingCommand(args, {}))
      assert.deepStrictEqual(
        outputs,
        refusals.map(([, sentence]) => `switchboard: ${sentence}\n`)
      )
    })
  )

  it("align columns by the width of their characters, without control characters", () => {
    const table = tableOf({ NAME: ({ name }) => name, SLUG: ({ slug }) => slug }, [
      { name: "日本 🚀", slug: "nihon" },
      { name: "a\nb", slug: undefined }
    ])
    assert.strictEqual(table, "NAME     SLUG\n日本 🚀  nihon\na b      -")
  })

  it.effect("take the only organization, and let one of several be chosen on a terminal", () =>
    Effect.gen(function* () {
      const choose = (slugs: ReadonlyArray<string>, ...keys: ReadonlyArray<string>) =>
        chosenOrganization(Option.none()).pipe(
          Effect.match({ onSuccess: ({ slug }) => slug, onFailure: ({ message }) => message }),
          Effect.provide(Layer.merge(organizationsOf(...slugs), pressing(...keys))),
          Effect.provideService(IsInteractive, keys.length > 0)
        )
      assert.strictEqual(yield* choose(["ada"]), "ada")
      assert.strictEqual(yield* choose(["ada", "bob"], "down", "return"), "bob")
      assert.strictEqual(
        yield* choose(["ada", "bob"]),
        "There are several organizations: add --organization with one of\n  ada (The ada)\n  bob (The bob)"
      )
      assert.match(yield* choose([]), /^There is no organization: run "switchboard organizations create /)
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

      const json = (...args: ReadonlyArray<string>) =>
        Effect.map(runCommand([...args, "--json"], environment), (output) => JSON.parse(output.stdout))
      yield* runCommand(["organizations", "set-plan", "--organization", "ada", "--plan", "free"], environment)
      yield* runCommand(["keys", "create", "--name", "only one"], environment)
      yield* runCommand(["keys", "create", "--name", "by slug", "--organization", "ada"], environment)
      const created = yield* json(
        "keys",
        "create",
        "--name",
        "by id",
        "--organization",
        id.toUpperCase(),
        "--expires-in",
        "1h"
      )
      assert.match(created.key, /^sk_sm_\w{40}$/)
      // The command reads the clock before the key is made.
      assert.closeTo(Date.parse(created.expiresAt) - Date.parse(created.createdAt), 3_600_000, 60_000)
      const [organizations, keys] = [yield* json("organizations", "list"), yield* json("keys", "list")]
      assert.deepInclude(organizations[0], { id, slug: "ada", name: "Ada's", plan: "free" })
      assert.deepStrictEqual(
        keys.map(({ name, organizationId }: Readonly<Record<string, unknown>>) => [name, organizationId]),
        [
          ["by id", id],
          ["by slug", id],
          ["only one", id]
        ]
      )
      const table = (yield* runCommand(["keys", "list"], environment)).stdout
      assert.match(
        table,
        /^NAME +ORGANIZATION +ROLE +STATUS +EXPIRES +KEY +ID\nby id +ada +admin +active +\d{4}-\S+Z +sk_sm_\w{6}… +\S{36}\n/
      )
    })
  )
})
