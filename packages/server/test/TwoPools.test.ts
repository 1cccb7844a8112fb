import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { LiveService, send, until } from "./LiveService.js"

/** Tables that the worker reads continuously, and the requests of this test do not. */
const queues = ["forwarding_queue", "inbound_queue", "inbound_waiting", "voice_call_waiting"]

/** The service with the minimum of connections, and a database client for the test. */
const Live = Layer.unwrapEffect(Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 2 }))).pipe(
  Layer.provideMerge(LiveService.layer({ DATABASE_POOL_SIZE: "2" }))
)

layer(Live, { excludeTestServices: true })("While the worker waits for the database", (it) => {
  it.effect("the API responds over its own connections", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sql = yield* PgClient.PgClient
      const waiting = sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      const id = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql.unsafe(`LOCK TABLE ${queues.join(", ")} IN ACCESS EXCLUSIVE MODE`)
          yield* until(waiting, ({ length }) => length > 0)
          const { body, status } = yield* call("POST", "/v1/messages", send())
          assert.strictEqual(status, 201)
          assert.strictEqual((yield* call("GET", `/v1/messages/${body.id}`)).status, 200)
          yield* until(waiting, ({ length }) => length > 0)
          return body.id
        })
      )
      yield* until(call("GET", `/v1/messages/${id}`), ({ body }) => body.status === "delivered")
    })
  )

  it.effect("the process opens at most DATABASE_POOL_SIZE connections", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { call } = yield* LiveService
      const sends = Effect.forEach(Array.from({ length: 20 }), () => call("POST", "/v1/messages", send()), {
        concurrency: "unbounded"
      })
      const connections = sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'switchboard'`
      // A job that can take long has a connection of its own while it runs. The sends use all connections of the pool.
      const { length } = yield* Effect.repeat(Effect.zipRight(sends, connections), {
        until: ({ length }) => length === 2,
        times: 20
      })
      assert.strictEqual(length, 2)
    })
  )
})
