import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Exit, Redacted, Scope } from "effect"
import { collectingConsole } from "../CollectingConsole.js"
import { adminKey, caller, send, until } from "../LiveService.js"
import { smtpSink } from "../SmtpSink.js"
import { failingCommand, runCommand } from "../TestCommand.js"
import { newDatabase, startService, testSettings } from "../TestService.js"

layer(TestDatabaseUrl.Live, { excludeTestServices: true })("switchboard queues", (it) => {
  it.scoped("pauses an organization and a channel of a running service, and resumes them", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink
      const environment = {
        ...testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey),
        LOG_LEVEL: "warning",
        SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        SMTP_CONFIRMATION: "accept"
      }
      const scope = yield* Scope.make()
      const collecting = collectingConsole()
      const first = yield* Scope.extend(startService(environment, undefined, collecting), scope)
      const { stdout } = yield* runCommand(["organizations", "create", "--name", "Ada", "--slug", "ada"], environment)
      const id = stdout.trim()
      const created = yield* runCommand(["keys", "create", "--name", "Ada", "--organization", "ada"], environment)
      const adaKey = /sk_sm_\w+/.exec(created.stdout)?.[0] ?? ""
      const clients = (baseUrl: string) => {
        const [call, ada] = [caller(baseUrl), caller(baseUrl, adaKey)]
        const statusBy = (by: typeof call) => (id: string) =>
          Effect.map(by("GET", `/v1/messages/${id}`), ({ body }): string => body.status)
        return { call, ada, status: statusBy(call), adaStatus: statusBy(ada) }
      }

      const paused = yield* runCommand(["queues", "pause", "--organization", "ada"], environment)
      assert.include(paused.stdout, "switchboard queues resume --organization ada")
      yield* until(Effect.sync(collecting.output), ({ stdout }) => stdout.includes(`organization ${id}`))
      const before = clients(first.baseUrl)
      const waiting = yield* before.ada("POST", "/v1/messages", send())
      const sent = yield* before.call("POST", "/v1/messages", send())
      assert.deepStrictEqual([waiting.status, sent.status], [201, 201])
      yield* until(before.status(sent.body.id), (is) => is === "delivered")
      assert.strictEqual(yield* before.adaStatus(waiting.body.id), "pending")

      // Both pauses hold in a process that starts later.
      yield* runCommand(["queues", "pause", "--channel", "email"], environment)
      yield* Scope.close(scope, Exit.void)
      const { baseUrl } = yield* startService(environment)
      const { adaStatus, call, status } = clients(baseUrl)
      const second = yield* call("POST", "/v1/messages", send())
      const list = yield* runCommand(["queues", "list"], environment)
      assert.match(list.stdout, /^message +email +2 +0 +0 .* paused$/m)
      assert.match(list.stdout, /^webhook +webhook .* active$/m)
      assert.include(list.stdout, "Paused: organization ada, since ")
      const json = yield* runCommand(["queues", "list", "--json"], environment)
      const { isHeld, pauses, queues } = JSON.parse(json.stdout)
      assert.isFalse(isHeld)
      assert.deepInclude(queues[0], { queue: "message", ready: 2, isPaused: true })
      assert.deepStrictEqual(
        pauses.map(({ channel, organizationId }: Readonly<Record<string, unknown>>) => [channel, organizationId]),
        [
          [null, id],
          ["email", null]
        ]
      )
      const { body: system } = yield* call("GET", "/v1/system")
      assert.isTrue(system.queues[0].isPaused)
      const warnings = system.findings.flatMap((one: { readonly level: string; readonly subject: string }) =>
        one.level === "warning" ? [one.subject.replace(/, since .*/, "")] : []
      )
      assert.includeMembers(warnings, ["Paused: organization ada", "Paused: email"])
      assert.strictEqual(yield* status(second.body.id), "pending")

      const refusals = yield* Effect.forEach(
        [
          ["pause", "--channel", "email"],
          ["pause", "--channel", "email", "--organization", "ada"],
          ["resume", "--channel", "webhook"]
        ],
        (args) => failingCommand(["queues", ...args], environment),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(refusals, [
        "switchboard: email is paused already\n",
        "switchboard: Give --channel or --organization\n",
        "switchboard: webhook is not paused\n"
      ])

      yield* runCommand(["queues", "resume", "--channel", "email"], environment)
      yield* until(status(second.body.id), (is) => is === "delivered")
      assert.strictEqual(yield* adaStatus(waiting.body.id), "pending")
      yield* runCommand(["queues", "resume", "--organization", id], environment)
      yield* until(adaStatus(waiting.body.id), (is) => is === "delivered")
      assert.lengthOf(sink.mails, 3)
    })
  )

  it.scoped("pauses text messages, and no mail", () =>
    Effect.gen(function* () {
      const environment = testSettings(yield* newDatabase, adminKey)
      yield* runCommand(["migrate"], environment)
      yield* runCommand(["queues", "pause", "--channel", "sms"], environment)
      const { baseUrl } = yield* startService(environment)
      const call = caller(baseUrl)
      const status = (id: string) => Effect.map(call("GET", `/v1/messages/${id}`), ({ body }): string => body.status)
      const sms = { channel: "sms", to: [{ phone: "+4915123456789" }], sms: { text: "Hello" } }
      const text = yield* call("POST", "/v1/messages", sms)
      const mail = yield* call("POST", "/v1/messages", send())
      yield* until(status(mail.body.id), (is) => is === "delivered")
      assert.strictEqual(yield* status(text.body.id), "pending")
      const { stdout } = yield* runCommand(["queues", "list"], environment)
      assert.match(stdout, /^sms +sms +1 +0 +0 .* paused$/m)
      yield* runCommand(["queues", "resume", "--channel", "sms"], environment)
      yield* until(status(text.body.id), (is) => is === "delivered")
    })
  )
})
