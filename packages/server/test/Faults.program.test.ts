import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { databaseTimeFactor } from "@switchboard/services/RequestDeadline"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Context, Duration, Effect, Layer } from "effect"
import { databaseProxy } from "./DatabaseProxy.js"
import { adminKey, callerOnce, send, until } from "./LiveService.js"
import { smtpSink } from "./SmtpSink.js"
import { startService, testSettings } from "./TestService.js"

/** The database role of the service; connection limits do not apply to superusers. */
const role = `service_${randomUUID().replaceAll("-", "")}`

/** The service with a proxy before its database; the test connects directly. */
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
      const sql = yield* PgClient.PgClient
      yield* Effect.acquireRelease(
        sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'secret' IN ROLE ${sql.config.username}`),
        // The role owns the partitions that its processes have made.
        () =>
          Effect.orDie(
            Effect.forEach([`REASSIGN OWNED BY ${role} TO ${sql.config.username}`, `DROP ROLE ${role}`], (statement) =>
              sql.unsafe(statement)
            )
          )
      )
      const { proxy, url } = yield* databaseProxy(yield* TestDatabaseUrl)
      const proxied = new URL(url)
      proxied.username = role
      proxied.password = "secret"
      const { baseUrl } = yield* startService({
        ...testSettings(proxied.href, adminKey),
        SMTP_URL: `smtp://127.0.0.1:${(yield* smtpSink).port}`,
        SMTP_CONFIRMATION: "accept",
        LEASE_DURATION: "2 seconds"
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

/** Maximum duration of a request in milliseconds: three seconds, with a margin for slow machines. */
const maxDuration = 10_000 * databaseTimeFactor

const anyList = "/v1/messages?limit=1"

const countMessages = Effect.flatMap(FaultyService, ({ call }) =>
  Effect.map(call("GET", anyList), ({ body }): number => body.pagination.total)
)

/** Sends messages; returns the accepted ones and the count before. */
const sendSome = Effect.gen(function* () {
  const { call } = yield* FaultyService
  const before = yield* countMessages
  const responses = yield* Effect.forEach(Array.range(1, 20), () => call("POST", "/v1/messages", send()), {
    concurrency: "unbounded"
  })
  return { before, accepted: responses.map(({ body }): string => body.id) }
})

/** Asserts that requests get 503 with Retry-After within `maxDuration`, and /healthz 200. Returns the refused sends. */
const assertUnavailable = Effect.gen(function* () {
  const { call, probe } = yield* FaultyService
  const sends = Array.makeBy(20, () => send({ idempotencyKey: randomUUID() }))
  const requests = sends.flatMap((body) => [call("POST", "/v1/messages", body), call("GET", anyList)])
  const responses = yield* Effect.forEach(requests, Effect.timed, { concurrency: "unbounded" })
  for (const [took, { body, headers, status }] of responses) {
    assert.deepStrictEqual([status, body._tag], [503, "ServiceUnavailableError"])
    assert.strictEqual(headers.get("retry-after"), String(body.retryAfterSeconds))
    assert.isAtMost(Duration.toMillis(took), maxDuration)
  }
  assert.strictEqual(yield* probe("/healthz"), 200)
  return sends
})

const isDelivered = (id: string) =>
  Effect.flatMap(FaultyService, ({ call }) =>
    until(call("GET", `/v1/messages/${id}`), ({ body }) => body.status === "delivered")
  )

/** Asserts recovery: a retry of each refused send creates one message, and all accepted messages are delivered. */
const assertRecovery = (refused: ReadonlyArray<object>, { accepted, before }: Effect.Effect.Success<typeof sendSome>) =>
  Effect.gen(function* () {
    const { call, probe } = yield* FaultyService
    const again = yield* Effect.forEach(
      [...refused, ...refused],
      (body) => until(call("POST", "/v1/messages", body), ({ status }) => status !== 503),
      { concurrency: 8 }
    )
    assert.deepStrictEqual(new Set(again.map(({ status }) => status)), new Set([201]))
    const ids = new Set(again.map(({ body }) => body.id))
    assert.strictEqual(ids.size, refused.length)
    yield* Effect.forEach([...accepted, ...ids], isDelivered, { concurrency: 8 })
    assert.strictEqual(yield* countMessages, before + accepted.length + refused.length)
    assert.strictEqual(yield* probe("/readyz"), 200)
  })

layer(FaultyService.layer, { excludeTestServices: true })("The service", (it) => {
  it.effect("responds 503 within seconds while the database hangs, and recovers", () =>
    Effect.gen(function* () {
      const { probe, proxy } = yield* FaultyService
      const some = yield* sendSome
      yield* proxy.freeze
      const first = yield* assertUnavailable
      assert.strictEqual(yield* probe("/readyz"), 503)
      const second = yield* assertUnavailable
      yield* proxy.thaw
      yield* assertRecovery([...first, ...second], some)
    })
  )

  it.effect("replaces database connections that went silent", () =>
    Effect.gen(function* () {
      const { proxy } = yield* FaultyService
      const some = yield* sendSome
      yield* proxy.lose
      yield* assertRecovery(
        Array.makeBy(5, () => send({ idempotencyKey: randomUUID() })),
        some
      )
    })
  )

  it.effect("responds 503 within seconds while another session locks a table, and recovers", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const some = yield* sendSome
      const refused = yield* sql.withTransaction(
        Effect.zipRight(sql`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`, assertUnavailable)
      )
      yield* assertRecovery(refused, some)
    })
  )

  it.effect("aborts a request at its deadline while each statement is slow", () =>
    Effect.gen(function* () {
      const { call, proxy } = yield* FaultyService
      // Each statement of a transaction is within the time limit, but not all of them together.
      yield* proxy.slow(1_000 * databaseTimeFactor)
      const responses = yield* Effect.forEach(Array.range(1, 3), () =>
        call("POST", "/v1/conversations", { channels: ["email"], title: "Late" })
      )
      yield* proxy.slow(0)
      for (const { status } of responses) assert.strictEqual(status, 503)
      // The responses to the aborted statements still arrive.
      yield* until(call("GET", anyList), ({ status }) => status === 200)
    })
  )

  it.effect("responds 503 at once while the database refuses connections, and recovers", () =>
    Effect.gen(function* () {
      const { probe, proxy } = yield* FaultyService
      const sql = yield* PgClient.PgClient
      const some = yield* sendSome
      yield* sql.unsafe(`ALTER ROLE ${role} CONNECTION LIMIT 0`)
      yield* proxy.cut
      const refused = yield* assertUnavailable
      assert.strictEqual(yield* probe("/readyz"), 503)
      yield* sql.unsafe(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
      yield* assertRecovery(refused, some)
    })
  )
})
