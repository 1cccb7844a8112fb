import { assert, describe, it } from "@effect/vitest"
import { Array, Effect } from "effect"
import { adminKey, caller, send, until } from "./LiveService.js"
import { runCommand } from "./TestCommand.js"
import { newDatabase, startService, testSettings } from "./TestService.js"

describe("The service", () => {
  it.scopedLive("simulates every final status with the local mailbox", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* startService({
        ...testSettings(yield* newDatabase, adminKey),
        RETRY_SCHEDULE: "1 milli, 1 milli"
      })
      const call = caller(baseUrl)
      const ending = (email: string, status: string) =>
        Effect.gen(function* () {
          const { body } = yield* call("POST", "/v1/messages", send({ to: [{ email }] }))
          const found = yield* until(
            call("GET", `/v1/messages/${body.id}`),
            (response) => response.body.status === status
          )
          return found.body.statusHistory.map((entry: { status: string }) => entry.status).join(" ")
        })
      assert.deepStrictEqual(
        yield* Effect.all(
          [
            ending("ada@example.com", "delivered"),
            ending("ada+bounce@example.com", "bounced"),
            ending("ada+defer@example.com", "delivered"),
            ending("ada+complain@example.com", "complained")
          ],
          { concurrency: "unbounded" }
        ),
        [
          "pending processing sent delivered",
          "pending processing bounced",
          "pending processing queued processing sent delivered",
          "pending processing sent delivered complained"
        ]
      )
      const { body } = yield* call("GET", "/v1/mailbox")
      assert.strictEqual(body.pagination.total, 3)
      const mail = yield* call("GET", `/v1/mailbox/${body.items[0].id}`)
      assert.include(mail.body.raw, body.items[0].messageId)
    })
  )

  it.scopedLive("separates tenants, permissions, plans and rate limits", () =>
    Effect.gen(function* () {
      const environment = {
        ...testSettings(yield* newDatabase, adminKey),
        RATE_LIMIT_SENDS: "5"
      }
      const { baseUrl } = yield* startService(environment)
      const keyOf = (args: ReadonlyArray<string>) =>
        Effect.map(
          runCommand(["keys", "create", "--name", "k", ...args], environment),
          ({ stdout }) => /sk_sm_\w+/.exec(stdout)?.[0] ?? ""
        )
      const made = Effect.map(
        runCommand(["organizations", "create", "--name", "Other", "--slug", "other"], environment),
        ({ stdout }) => stdout.trim()
      )
      const other = yield* made
      const keys = [yield* keyOf([]), yield* keyOf(["--organization", other, "--role", "viewer"])]
      const [unbound, viewer] = [caller(baseUrl, keys[0]), caller(baseUrl, keys[1])]
      const admin = caller(baseUrl)
      const mine = yield* admin("POST", "/v1/messages", send())
      const responses = [
        yield* unbound("GET", "/v1/messages"),
        yield* viewer("POST", "/v1/messages", send()),
        yield* viewer("GET", `/v1/messages/${mine.body.id}`),
        yield* viewer("GET", "/v1/messages")
      ]
      assert.deepStrictEqual(
        responses.map(({ body, status }) => [status, body._tag]),
        [
          [403, "ForbiddenError"],
          [403, "ForbiddenError"],
          [404, "ResourceNotFoundError"],
          [200, undefined]
        ]
      )
      const burst = yield* Effect.forEach(Array.range(1, 60), () => admin("POST", "/v1/messages", send()), {
        concurrency: "unbounded"
      })
      const limited = burst.find(({ status }) => status === 429)
      assert.deepStrictEqual(limited?.body, { _tag: "RateLimitedError", retryAfterSeconds: 1 })
      assert.strictEqual(limited?.headers.get("retry-after"), "1")
      const metrics = yield* Effect.promise(() => fetch(`${baseUrl}/metrics`).then((response) => response.text()))
      assert.match(metrics, /^switchboard_rate_limited_total\{limit="sends"\} [1-9]\d*$/m)
      const replay = yield* admin(
        "POST",
        "/v1/messages",
        JSON.parse(
          JSON.stringify({
            ...send(),
            email: mine.body.content && { subject: mine.body.content.subject, html: "<p>Hello</p>" }
          })
        )
      )
      assert.strictEqual(replay.status, 201)
      assert.strictEqual(replay.body.id, mine.body.id)
      const list = (yield* runCommand(["organizations", "list"], environment)).stdout
      const first =
        list
          .split("\n")
          .find((line) => line.includes("default"))
          ?.split(" ")[0] ?? ""
      const revoked = yield* keyOf(["--organization", first])
      yield* runCommand(["organizations", "set-plan", "--organization", first, "--plan", "free"], environment)
      const keyId = (
        (yield* runCommand(["keys", "list"], environment)).stdout
          .split("\n")
          .find((line) => line.includes(revoked.slice(0, 12))) ?? ""
      ).split(" ")[0]
      assert.strictEqual((yield* caller(baseUrl, revoked)("GET", "/v1/messages")).status, 200)
      yield* runCommand(["keys", "revoke", keyId ?? ""], environment)
      yield* until(caller(baseUrl, revoked)("GET", "/v1/messages"), ({ status }) => status === 401)
    })
  )
})
