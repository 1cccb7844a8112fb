import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { LiveService, send, until } from "../LiveService.js"
import { failingCommand, runCommand } from "../TestCommand.js"

layer(LiveService.Shared, { excludeTestServices: true })("switchboard messages retry", (it) => {
  it.effect("sends failed messages again once, and counts messages that are blocked", () =>
    Effect.gen(function* () {
      const { call, environment, mails, organizationId } = yield* LiveService
      const run = (...args: ReadonlyArray<string>) =>
        Effect.map(runCommand(["messages", "retry", ...args], environment), ({ stdout }) => stdout)
      const retry = (...args: ReadonlyArray<string>) => run("--organization", organizationId, ...args)
      const [ada, bob, other] = [
        `ada-${randomUUID()}@a.test`,
        `bob-${randomUUID()}@a.test`,
        `blocked-${randomUUID()}@a.test`
      ]
      const scheduledAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 }))
      const cancelled = (to: string) =>
        Effect.gen(function* () {
          const { body } = yield* call("POST", "/v1/messages", send({ scheduledAt, to: [{ email: to }] }))
          yield* call("POST", `/v1/messages/${body.id}/cancel`)
          return body.id as string
        })
      const [first, second] = [yield* cancelled(ada), yield* cancelled(bob)]
      yield* cancelled(other)
      const block = yield* call("POST", "/v1/email/blocks", { email: other })
      assert.strictEqual(block.status, 201)
      const refused = send({ to: [{ email: `data554-${randomUUID()}@example.com` }] })
      const { body: sent } = yield* call("POST", "/v1/messages", refused)
      yield* until(call("GET", `/v1/messages/${sent.id}`), ({ body }) => body.status === "failed")

      const table = (yield* retry("--dry-run")).split("\n")
      assert.match(table[0] ?? "", /^ID +ORGANIZATION +CHANNEL +FAILED AT +CODE +RECIPIENTS +REASON$/)
      assert.match(
        table[1] ?? "",
        new RegExp(`^${sent.id}  \\S+ +email +\\d{4}-\\S+Z .* data554-\\S+@example\\.com +\\S`)
      )
      assert.deepStrictEqual(table.slice(2), ["Would retry: 1", ""])
      const listed: ReadonlyArray<Readonly<Record<string, unknown>>> = JSON.parse(
        yield* retry("--code", "cancelled", "--dry-run", "--json")
      )
      assert.deepStrictEqual(
        listed.map(({ recipients }) => recipients),
        [[ada], [bob], [other]]
      )
      assert.deepInclude(listed[0] ?? {}, { id: first, channel: "email", organizationId })
      assert.include(yield* retry("--code", "cancelled", "--dry-run", "--limit", "2"), "\nWould retry: 2\n")
      // Of all organizations in the database.
      const all = yield* run("--all", "--code", "cancelled", "--dry-run")
      assert.isAtLeast(Number(/\nWould retry: (\d+)\n$/.exec(all)?.[1]), 3)
      assert.strictEqual(yield* retry("--code", "cancelled", "--limit", "1"), "Retried: 1\n")
      assert.strictEqual(
        yield* retry("--code", "cancelled"),
        "Retried: 1\nNot retried: 1 (all recipients are blocked)\n"
      )
      const arrived = Effect.sync(() => mails.flatMap(({ rcptTo }) => rcptTo))
      const known = yield* until(arrived, (all) => [ada, bob].every((one) => all.includes(one)))
      assert.sameMembers(
        known.filter((one) => [ada, bob, other].includes(one)),
        [ada, bob]
      )
      for (const id of [first, second]) {
        const { body } = yield* call("GET", `/v1/messages/${id}`)
        assert.strictEqual(body.status, "failed")
        const copy = yield* call("GET", `/v1/messages/${body.errorDetails.details.resentAs}`)
        assert.strictEqual(copy.body.content.subject, body.content.subject)
      }
    })
  )

  it.effect("refuses a call without a target, an unknown organization, a bad time and a limit of 0", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      const refusals = yield* Effect.forEach(
        [[], ["--organization", "none"], ["--all", "--since", "soon"], ["--all", "--limit", "0"], ["--all", "--json"]],
        (args) => failingCommand(["messages", "retry", ...args], environment),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(refusals, [
        "switchboard: Give --organization ID_OR_SLUG or --all\n",
        'switchboard: There is no organization "none": run "switchboard organizations list" for ids and slugs\n',
        "switchboard: --since must be a time such as 2026-11-23T10:00:00Z\n",
        "switchboard: --limit must be a positive integer\n",
        "switchboard: Give --json only with --dry-run\n"
      ])
    })
  )
})
