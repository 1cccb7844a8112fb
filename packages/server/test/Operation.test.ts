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

  it.scopedLive("limits the sends of an organization, but not replays, and rejects a revoked key", () =>
    Effect.gen(function* () {
      const environment = { ...testSettings(yield* newDatabase, adminKey), RATE_LIMIT_SENDS: "5" }
      const { baseUrl } = yield* startService(environment)
      const admin = caller(baseUrl)
      const request = send()
      const mine = yield* admin("POST", "/v1/messages", request)
      const burst = yield* Effect.forEach(Array.range(1, 60), () => admin("POST", "/v1/messages", send()), {
        concurrency: "unbounded"
      })
      const limited = burst.find(({ status }) => status === 429)
      assert.deepStrictEqual(limited?.body, { _tag: "RateLimitedError", retryAfterSeconds: 1 })
      assert.strictEqual(limited?.headers.get("retry-after"), "1")
      const metrics = yield* Effect.promise(() => fetch(`${baseUrl}/metrics`).then((response) => response.text()))
      assert.match(metrics, /^switchboard_rate_limited_total\{limit="sends"\} [1-9]\d*$/m)
      const replay = yield* admin("POST", "/v1/messages", request)
      assert.deepStrictEqual([replay.status, replay.body.id], [201, mine.body.id])

      const keyOf = (...args: ReadonlyArray<string>) =>
        Effect.map(
          runCommand(["keys", "create", "--name", "k", ...args], environment),
          ({ stdout }) => /sk_sm_\w+/.exec(stdout)?.[0] ?? ""
        )
      const statusWith = (key: string) =>
        Effect.map(caller(baseUrl, key)("GET", "/v1/messages"), ({ status }) => status)
      const key = yield* keyOf("--organization", "default")
      assert.strictEqual(yield* statusWith(key), 200)
      const keys: ReadonlyArray<{ readonly id: string; readonly start: string }> = JSON.parse(
        (yield* runCommand(["keys", "list", "--json"], environment)).stdout
      )
      const keyId = keys.find(({ start }) => key.startsWith(start))?.id ?? ""
      yield* runCommand(["keys", "revoke", keyId], environment)
      yield* until(statusWith(key), (status) => status === 401)
    })
  )
})
