import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { startServer } from "@switchboard/server/demo/ServerProcess"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Context, Duration, Effect, Fiber, Layer, Schedule } from "effect"
import { databaseProxy } from "./DatabaseProxy.js"
import { adminKey, callerOnce, send, temporaryFolder, until } from "./LiveService.js"
import { smtpSink } from "./SmtpSink.js"

/** The user that the service connects as: not a superuser, so that limits hold for it. */
const role = `service_${randomUUID().replaceAll("-", "")}`

/** The service with a proxy before its database, and a way around it for the test. */
class FaultyService extends Context.Tag("test/FaultyService")<
  FaultyService,
  {
    readonly call: ReturnType<typeof callerOnce>
    readonly probe: (path: string) => Effect.Effect<number>
    readonly proxy: Effect.Effect.Success<ReturnType<typeof databaseProxy>>["proxy"]
  }
>() {
  static readonly layer = Layer.scoped(
    FaultyService,
    Effect.gen(function* () {
      const direct = yield* TestDatabaseUrl
      const sql = yield* PgClient.PgClient
      yield* Effect.acquireRelease(
        sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'secret' IN ROLE ${sql.config.username}`),
        () => Effect.orDie(sql.unsafe(`DROP ROLE ${role}`))
      )
      const { proxy, url } = yield* databaseProxy(direct)
      const through = new URL(url)
      through.username = role
      through.password = "secret"
      const sink = yield* smtpSink
      const baseUrl = yield* startServer({
        PATH: process.env.PATH ?? "",
        DATABASE_URL: through.href,
        DATA_DIR: yield* temporaryFolder,
        PORT: "0",
        INBOUND_SMTP_PORT: "0",
        BOOTSTRAP_API_KEY: adminKey,
        SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        SMTP_CONFIRMATION: "accept",
        LEASE_DURATION: "2 seconds",
        SHUTDOWN_GRACE: "1 second",
        RATE_LIMIT_REQUESTS: "0",
        RATE_LIMIT_SENDS: "0",
        RATE_LIMIT_FAILURES: "0",
        LOG_LEVEL: "none"
      })
      const probe = (path: string) => Effect.promise(() => fetch(`${baseUrl}${path}`).then(({ status }) => status))
      return { call: callerOnce(baseUrl), probe, proxy }
    })
  ).pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 2 })))
    ),
    Layer.provide(TestDatabaseUrl.Live)
  )
}

/** What callers are kept waiting at most, in milliseconds: three seconds, and room for a machine that does much else. */
const soon = 10_000

const anyList = "/v1/messages?limit=1"

const countMessages = Effect.flatMap(FaultyService, ({ call }) =>
  Effect.map(call("GET", anyList), ({ body }): number => body.pagination.total)
)

/** Messages that are accepted, and how many there were before. */
const sendSome = Effect.gen(function* () {
  const { call } = yield* FaultyService
  const before = yield* countMessages
  const answers = yield* Effect.forEach(Array.range(1, 20), () => call("POST", "/v1/messages", send()), {
    concurrency: "unbounded"
  })
  return { before, accepted: answers.map(({ body }): string => body.id) }
})

/**
 * That whoever asks now is told soon to come again, and that the process says of itself that it can't serve. The sends
 * that were turned away.
 */
const turnsEveryoneAway = Effect.gen(function* () {
  const { call, probe } = yield* FaultyService
  const sends = Array.makeBy(20, () => send({ idempotencyKey: randomUUID() }))
  const requests = sends.flatMap((body) => [call("POST", "/v1/messages", body), call("GET", anyList)])
  const answers = yield* Effect.forEach(requests, Effect.timed, { concurrency: "unbounded" })
  for (const [took, { body, headers, status }] of answers) {
    assert.deepStrictEqual([status, body._tag], [503, "ServiceUnavailableError"])
    assert.strictEqual(headers.get("retry-after"), String(body.retryAfterSeconds))
    assert.isAtMost(Duration.toMillis(took), soon)
  }
  assert.strictEqual(yield* probe("/healthz"), 200)
  return sends
})

/** As many as will surely hit something, and few enough that a busy machine comes to an end. */
const cuts = Schedule.intersect(Schedule.jittered(Schedule.spaced("50 millis")), Schedule.recurs(20))

const isDelivered = (id: string) =>
  Effect.flatMap(FaultyService, ({ call }) =>
    until(call("GET", `/v1/messages/${id}`), ({ body }) => body.status === "delivered")
  )

/** That all goes on by itself: each send that was turned away makes one message, and everything accepted is delivered. */
const heals = (turnedAway: ReadonlyArray<object>, { accepted, before }: Effect.Effect.Success<typeof sendSome>) =>
  Effect.gen(function* () {
    const { call, probe } = yield* FaultyService
    const again = yield* Effect.forEach(
      [...turnedAway, ...turnedAway],
      (body) => until(call("POST", "/v1/messages", body), ({ status }) => status !== 503),
      { concurrency: 8 }
    )
    assert.deepStrictEqual(new Set(again.map(({ status }) => status)), new Set([201]))
    const ids = new Set(again.map(({ body }) => body.id))
    assert.strictEqual(ids.size, turnedAway.length)
    yield* Effect.forEach([...accepted, ...ids], isDelivered, { concurrency: 8 })
    assert.strictEqual(yield* countMessages, before + accepted.length + turnedAway.length)
    assert.strictEqual(yield* probe("/readyz"), 200)
  })

layer(FaultyService.layer, { excludeTestServices: true, timeout: "60 seconds" })("While its database", (it) => {
  it.effect("hangs, the service says so within seconds, and goes on when it goes on", () =>
    Effect.gen(function* () {
      const { probe, proxy } = yield* FaultyService
      const some = yield* sendSome
      yield* proxy.freeze
      const first = yield* turnsEveryoneAway
      assert.strictEqual(yield* probe("/readyz"), 503)
      const second = yield* turnsEveryoneAway
      yield* proxy.thaw
      yield* heals([...first, ...second], some)
    })
  )

  it.effect(
    "loses connections in the middle of anything, no request fails, and no repeated send makes two messages",
    () =>
      Effect.gen(function* () {
        const { call, proxy } = yield* FaultyService
        const before = yield* countMessages
        const seen = new Set<number>()
        const insist = (body: object): Effect.Effect<string> =>
          Effect.flatMap(call("POST", "/v1/messages", body), (answer) => {
            seen.add(answer.status)
            return answer.status === 201 ? Effect.succeed(answer.body.id) : insist(body)
          })
        const cutting = yield* Effect.fork(Effect.repeat(proxy.cut, cuts))
        const ids = yield* Effect.forEach(
          Array.makeBy(200, () => send({ idempotencyKey: randomUUID() })),
          insist,
          { concurrency: 16 }
        )
        yield* Fiber.interrupt(cutting)
        assert.deepStrictEqual([...seen].sort(), [201, 503])
        assert.strictEqual(new Set(ids).size, 200)
        assert.strictEqual(yield* countMessages, before + 200)
      })
  )

  it.effect("is behind a path that was lost without a word, the service finds another by itself", () =>
    Effect.gen(function* () {
      const { proxy } = yield* FaultyService
      const some = yield* sendSome
      yield* proxy.lose
      yield* heals(
        Array.makeBy(5, () => send({ idempotencyKey: randomUUID() })),
        some
      )
    })
  )

  it.effect("is locked by somebody else, the service says so within seconds, and goes on after that", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const some = yield* sendSome
      const turnedAway = yield* sql.withTransaction(
        Effect.zipRight(sql`LOCK TABLE messages, message_states IN ACCESS EXCLUSIVE MODE`, turnsEveryoneAway)
      )
      yield* heals(turnedAway, some)
    })
  )

  it.effect(
    "answers everything late, a request is given up when it has waited enough, however much it has to ask",
    () =>
      Effect.gen(function* () {
        const { call, proxy } = yield* FaultyService
        // Each of the questions of a transaction is answered in time, and all of them together are not.
        yield* proxy.slow(1_000)
        const asked = yield* Effect.forEach(Array.range(1, 3), () =>
          call("POST", "/v1/conversations", { channels: ["email"], title: "Late" })
        )
        yield* proxy.slow(0)
        for (const { status } of asked) assert.strictEqual(status, 503)
        // What was given up still comes in.
        yield* until(call("GET", anyList), ({ status }) => status === 200)
      })
  )

  it.effect("takes no connections, the service says so at once, and goes on when it takes them again", () =>
    Effect.gen(function* () {
      const { probe, proxy } = yield* FaultyService
      const sql = yield* PgClient.PgClient
      const some = yield* sendSome
      yield* sql.unsafe(`ALTER ROLE ${role} CONNECTION LIMIT 0`)
      yield* proxy.cut
      const turnedAway = yield* turnsEveryoneAway
      assert.strictEqual(yield* probe("/readyz"), 503)
      yield* sql.unsafe(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
      yield* heals(turnedAway, some)
    })
  )
})
