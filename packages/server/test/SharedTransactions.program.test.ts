import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Notifications, NotificationsLive } from "@switchboard/store/queues/Notifications"
import { queueTables } from "@switchboard/store/queues/QueueTables"
import { Array, Effect, Layer, Redacted, Ref, Schema, Stream } from "effect"
import { caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, launch, run } from "./ServiceProcess.js"

const Address = Schema.parseJson(Schema.Struct({ url: Schema.String }))

const sends = 200

/** At most one transaction per eight sends. */
const most = sends / 8

it.scopedLive("Sends that come together share transactions, updates of the usage, and notifications", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryFolder
    const environment = base(dataDir)
    // The first command creates the database; the next starts it with pg_stat_statements.
    yield* run(["migrate"], environment)
    appendFileSync(join(dataDir, "postgres", "postgresql.conf"), "shared_preload_libraries = 'pg_stat_statements'\n")
    const { baseUrl } = yield* launch("api", environment)
    const { url } = yield* Schema.decode(Address)(readFileSync(join(dataDir, "postgres.json"), "utf8"))
    const database = Redacted.make(url)

    yield* Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql`CREATE EXTENSION pg_stat_statements`
      const notifications = yield* Notifications
      const notified = yield* Ref.make(0)
      yield* Effect.forkScoped(
        Stream.runForEach(notifications.on(queueTables.message.channel), () =>
          Ref.update(notified, (count) => count + 1)
        )
      )
      // One read at the subscription, one when the connection is open.
      yield* until(Ref.get(notified), (count) => count === 2)
      const call = caller(baseUrl)
      yield* call("POST", "/v1/messages", send())
      yield* until(Ref.get(notified), (count) => count === 3)
      yield* sql`SELECT pg_stat_statements_reset()`

      // Two batch requests: single sends could be read one after the other on a slow machine.
      const batch = { messages: Array.makeBy(sends / 2, () => send()) }
      const other = { messages: Array.makeBy(sends / 2, () => send()) }
      const responses = yield* Effect.forEach([batch, other], (body) => call("POST", "/v1/messages/batch", body), {
        concurrency: "unbounded"
      })
      const statuses = responses.flatMap(({ body }) =>
        body.results.map(({ status }: { readonly status: number }) => status)
      )
      assert.deepStrictEqual(statuses, Array.replicate(201, sends))
      const callsOf = (part: string) =>
        Effect.map(
          sql<{ calls: number }>`SELECT COALESCE(sum(calls), 0)::int AS calls FROM pg_stat_statements
              WHERE query LIKE ${`%${part}%`} AND query NOT LIKE '%pg_stat_statements%'`,
          ([row]) => row?.calls ?? 0
        )
      const usageUpdates = yield* callsOf("UPDATE organization_usage")
      const inserts = yield* callsOf("INSERT INTO messages ")
      yield* until(Ref.get(notified), (count) => count - 3 >= inserts)
      for (const count of [usageUpdates, inserts, (yield* Ref.get(notified)) - 3]) {
        assert.isAtLeast(count, 1)
        assert.isAtMost(count, most)
      }

      // A process without a worker has no relay.
      const metrics = yield* Effect.promise(() => fetch(`${baseUrl}/metrics`).then((response) => response.text()))
      assert.notInclude(metrics, "switchboard_relay_paused")
      assert.match(metrics, /^switchboard_accept_duration_seconds_count [1-9]/m)
    }).pipe(
      Effect.provide(NotificationsLive.pipe(Layer.provideMerge(PgClient.layer({ url: database, maxConnections: 1 }))))
    )
  })
)
