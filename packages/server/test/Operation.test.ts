import { assert, describe, it } from "@effect/vitest"
import { startServer } from "@switchboard/server/demo/ServerProcess"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Redacted } from "effect"
import { caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, failing, launch, run } from "./ServiceProcess.js"

describe("The service as a process", () => {
  it.scopedLive(
    "simulates every final status with the local mailbox",
    () =>
      Effect.gen(function* () {
        const environment = { ...base(yield* temporaryFolder), RETRY_SCHEDULE: "1 second, 1 second" }
        const baseUrl = yield* startServer(environment)
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
      }),
    300_000
  )

  it.scopedLive(
    "separates tenants, permissions, plans and rate limits",
    () =>
      Effect.gen(function* () {
        const url = yield* TestDatabaseUrl
        const environment = {
          ...base(yield* temporaryFolder),
          DATABASE_URL: Redacted.value(url),
          RATE_LIMIT_SENDS: "5"
        }
        const baseUrl = yield* startServer(environment)
        const keyOf = (args: ReadonlyArray<string>) =>
          Effect.map(
            run(["keys", "create", "--name", "k", ...args], environment),
            ({ stdout }) => /sk_sm_\w+/.exec(stdout)?.[0] ?? ""
          )
        const made = Effect.map(
          run(["organizations", "create", "--name", "Other", "--slug", "other"], environment),
          ({ stdout }) => stdout.trim()
        )
        const keys = yield* Effect.all(
          [keyOf([]), Effect.flatMap(made, (other) => keyOf(["--organization", other, "--role", "viewer"]))],
          { concurrency: 2 }
        )
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
        const list = (yield* run(["organizations", "list"], environment)).stdout
        const first =
          list
            .split("\n")
            .find((line) => line.includes("default"))
            ?.split(" ")[0] ?? ""
        const [revoked] = yield* Effect.all(
          [
            keyOf(["--organization", first]),
            run(["organizations", "set-plan", "--organization", first, "--plan", "free"], environment)
          ],
          { concurrency: 2 }
        )
        const keyId = (
          (yield* run(["keys", "list"], environment)).stdout
            .split("\n")
            .find((line) => line.includes(revoked.slice(0, 12))) ?? ""
        ).split(" ")[0]
        assert.strictEqual((yield* caller(baseUrl, revoked)("GET", "/v1/messages")).status, 200)
        yield* run(["keys", "revoke", keyId ?? ""], environment)
        yield* until(caller(baseUrl, revoked)("GET", "/v1/messages"), ({ status }) => status === 401)
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )

  it.scopedLive(
    "refuses invalid settings by name, and reports its health",
    () =>
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
        const { stdout } = yield* run(["doctor"], environment)
        assert.match(stdout, /^ok {7}Durability settings of the database$/m)
        assert.match(stdout, /^ok {7}Queues: empty$/m)
        assert.notMatch(stdout.trimEnd(), /^(?!ok {7}\S)/m)
      }),
    300_000
  )
})
