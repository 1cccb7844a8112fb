import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Array, Deferred, Effect, Redacted } from "effect"
import { TestDatabaseUrl } from "../../store/test/TestDatabase.js"
import { startServer } from "../src/demo/ServerProcess.js"
import { adminKey, caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, ended, failing, launch, run } from "./ServiceProcess.js"
import { smtpSink } from "./SmtpSink.js"

const postRaw = (agent: Agent, baseUrl: string, body: unknown) =>
  Effect.async<{ readonly status: number | null; readonly id: string | null }>((resume) => {
    const url = new URL(`${baseUrl}/v1/messages`)
    const outgoing = request(
      url,
      { method: "POST", agent, headers: { "X-API-Key": adminKey, "Content-Type": "application/json" } },
      (response) => {
        let text = ""
        response.on("data", (chunk) => {
          text += String(chunk)
        })
        response.on("end", () =>
          resume(
            Effect.succeed({
              status: response.statusCode ?? null,
              id: response.statusCode === 201 ? JSON.parse(text).id : null
            })
          )
        )
        response.on("error", () => resume(Effect.succeed({ status: null, id: null })))
      }
    )
    outgoing.on("error", () => resume(Effect.succeed({ status: null, id: null })))
    outgoing.end(JSON.stringify(body))
  })

describe("The service as a process", () => {
  it.scopedLive(
    "killed under load and started again on the same folder, delivers everything that it answered 201",
    () =>
      Effect.gen(function* () {
        const sink = yield* smtpSink
        const environment = {
          ...base(yield* temporaryFolder),
          SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
          SMTP_CONFIRMATION: "accept",
          LEASE_DURATION: "2 seconds"
        }
        const first = yield* launch("serve", environment)
        const agent = new Agent({ keepAlive: true, maxSockets: 16 })
        const enough = yield* Deferred.make<void>()
        const accepted: Array<string> = []
        const loaders = yield* Effect.fork(
          Effect.forEach(
            Array.range(1, 2_000),
            () =>
              Effect.flatMap(postRaw(agent, first.baseUrl, send()), ({ id }) => {
                if (id !== null) accepted.push(id)
                return accepted.length >= 150 ? Deferred.succeed(enough, undefined) : Effect.void
              }),
            { concurrency: 16, discard: true }
          )
        )
        yield* Deferred.await(enough)
        process.kill(-(first.child.pid ?? 0), "SIGKILL")
        yield* Effect.exit(loaders.await)
        agent.destroy()
        const second = yield* launch("serve", environment)
        const call = caller(second.baseUrl)
        const unfinished = Effect.forEach(["pending", "queued", "processing"], (status) =>
          Effect.map(
            call("GET", `/v1/messages?limit=1&status=${status}`),
            ({ body }) => body.pagination.total as number
          )
        )
        yield* until(unfinished, (counts) => counts.every((count) => count === 0))
        const states = yield* Effect.forEach(accepted, (id) => call("GET", `/v1/messages/${id}`), { concurrency: 8 })
        assert.deepStrictEqual(new Set(states.map(({ body }) => body.status)), new Set(["delivered"]))
        const arrived = new Map<string, number>()
        for (const { parsed } of sink.mails) {
          const id = parsed.messageId ?? ""
          arrived.set(id, (arrived.get(id) ?? 0) + 1)
        }
        for (const { body } of states) {
          const copies = arrived.get(body.emailMetadata.messageId) ?? 0
          const flagged = body.statusHistory.some(
            ({ metadata }: { metadata?: { possibleDuplicate?: boolean } }) => metadata?.possibleDuplicate === true
          )
          assert.isAtLeast(copies, 1)
          assert.isTrue(copies === 1 || flagged, "a second copy is said to be possible")
        }
        second.child.kill("SIGTERM")
        assert.strictEqual(yield* ended(second.child), 0)
      }),
    120_000
  )

  it.scopedLive(
    "stopped under load, cuts no answer and ends with 0",
    () =>
      Effect.gen(function* () {
        const { child, baseUrl } = yield* launch("serve", base(yield* temporaryFolder))
        const agent = new Agent({ keepAlive: true, maxSockets: 16 })
        const statuses: Array<number | null> = []
        let stopped = false
        const loader: Effect.Effect<void> = Effect.flatMap(postRaw(agent, baseUrl, send()), ({ status }) => {
          statuses.push(status)
          if (statuses.length === 100) {
            stopped = true
            child.kill("SIGTERM")
          }
          // Once it is told to stop, a refused connection is an answer too: nobody listens any more.
          return status === null || (stopped && status === 503) ? Effect.void : loader
        })
        yield* Effect.forEach(Array.range(1, 16), () => loader, { concurrency: "unbounded", discard: true })
        agent.destroy()
        assert.deepStrictEqual([...new Set(statuses.filter((status) => status !== null))].sort(), [201, 503])
        assert.isAtMost(statuses.filter((status) => status === null).length, 0)
        assert.strictEqual(yield* ended(child), 0)
      }),
    60_000
  )

  it.scopedLive(
    "works as one with others on the same database: each message is delivered once",
    () =>
      Effect.gen(function* () {
        const sink = yield* smtpSink
        const url = yield* TestDatabaseUrl
        const environment = {
          ...base(yield* temporaryFolder),
          DATABASE_URL: Redacted.value(url),
          SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
          SMTP_CONFIRMATION: "accept"
        }
        const [left, right] = yield* Effect.all([launch("api", environment), launch("api", environment)])
        yield* Effect.all([launch("worker", environment), launch("worker", environment)])
        const calls = [caller(left.baseUrl), caller(right.baseUrl)]
        const keyed = send({ idempotencyKey: randomUUID() })
        const bodies = [...Array.makeBy(300, () => send()), ...Array.makeBy(20, () => keyed)]
        const answers = yield* Effect.forEach(
          bodies,
          (body, index) => (calls[index % 2] ?? caller(left.baseUrl))("POST", "/v1/messages", body),
          { concurrency: 32 }
        )
        assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 301)
        const delivered = Effect.map(
          caller(left.baseUrl)("GET", "/v1/messages?limit=1&status=delivered"),
          ({ body }) => body.pagination.total as number
        )
        yield* until(delivered, (count) => count === 301)
        assert.strictEqual(sink.mails.length, 301)
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    60_000
  )

  it.scopedLive(
    "plays every state in the local mailbox",
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
              (answer) => answer.body.status === status
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
    60_000
  )

  it.scopedLive(
    "keeps tenants, permissions, plans and rates apart",
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
        const other = (yield* run(
          ["organizations", "create", "--name", "Other", "--slug", "other"],
          environment
        )).stdout.trim()
        const unbound = caller(baseUrl, yield* keyOf([]))
        const viewer = caller(baseUrl, yield* keyOf(["--organization", other, "--role", "viewer"]))
        const admin = caller(baseUrl)
        const mine = yield* admin("POST", "/v1/messages", send())
        const answers = [
          yield* unbound("GET", "/v1/messages"),
          yield* viewer("POST", "/v1/messages", send()),
          yield* viewer("GET", `/v1/messages/${mine.body.id}`),
          yield* viewer("GET", "/v1/messages")
        ]
        assert.deepStrictEqual(
          answers.map(({ body, status }) => [status, body._tag]),
          [
            [403, "ForbiddenError"],
            [403, "ForbiddenError"],
            [404, "ResourceNotFoundError"],
            [200, undefined]
          ]
        )
        const burst = yield* Effect.forEach(Array.range(1, 15), () => admin("POST", "/v1/messages", send()), {
          concurrency: "unbounded"
        })
        const limited = burst.find(({ status }) => status === 429)
        assert.deepStrictEqual(limited?.body, { _tag: "RateLimitedError", retryAfterSeconds: 1 })
        assert.strictEqual(limited?.headers.get("retry-after"), "1")
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
        yield* run(["organizations", "set-plan", "--organization", first, "--plan", "free"], environment)
        const revoked = yield* keyOf(["--organization", first])
        const keyId = (
          (yield* run(["keys", "list"], environment)).stdout
            .split("\n")
            .find((line) => line.includes(revoked.slice(0, 12))) ?? ""
        ).split(" ")[0]
        assert.strictEqual((yield* caller(baseUrl, revoked)("GET", "/v1/messages")).status, 200)
        yield* run(["keys", "revoke", keyId ?? ""], environment)
        yield* until(caller(baseUrl, revoked)("GET", "/v1/messages"), ({ status }) => status === 401)
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    60_000
  )

  it.scopedLive("refuses wrong settings in a line that names them, and says that it is healthy", () =>
    Effect.gen(function* () {
      const environment = base(yield* temporaryFolder)
      assert.match(yield* failing(["serve"], { ...environment, PORT: "many" }), /^switchboard: PORT: /)
      assert.match(
        yield* failing(["serve"], { ...environment, LEASE_DURATION: "soon" }),
        /^switchboard: LEASE_DURATION: must be/
      )
      const away = { ...environment, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }
      assert.match(yield* failing(["serve"], away), /database/i)
      const { baseUrl } = yield* launch("serve", environment)
      const texts = yield* Effect.forEach(["/healthz", "/readyz", "/metrics", "/v1/docs"], (path) =>
        Effect.promise(() => fetch(`${baseUrl}${path}`).then((response) => response.text()))
      )
      assert.deepStrictEqual(texts.slice(0, 2), ['{"status":"alive"}', '{"status":"ready"}'])
      assert.include(texts[2], "switchboard_queue_ready 0")
      assert.notMatch(texts[3] ?? "", /(?:src|href)="https?:/)
      assert.match((yield* run(["doctor"], environment)).stdout, /well {3}the database keeps what it confirms/)
    })
  )
})
