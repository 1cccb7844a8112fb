import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Notifications, NotificationsLive, queueTables } from "@switchboard/store/queues/QueueTables"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Layer, Redacted, Ref, Stream } from "effect"
import { adminKey, caller, send, until } from "./LiveService.js"
import { startService, testSettings } from "./TestService.js"

const Live = NotificationsLive.pipe(Layer.provideMerge(TestDatabase), Layer.provideMerge(TestDatabaseUrl.Live))

const sends = 200

/** At most one transaction per eight sends. */
const most = sends / 8

layer(Live, { excludeTestServices: true })("Sends that come together", (it) => {
  it.scoped("share transactions, updates of the usage, and notifications", () =>
    Effect.gen(function* () {
      const settings = testSettings(Redacted.value(yield* TestDatabaseUrl), adminKey)
      const { baseUrl } = yield* startService(settings, { api: true, worker: false })
      const call = caller(baseUrl)
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE usage_updates (at timestamptz)`
      yield* sql`CREATE FUNCTION count_update() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN INSERT INTO usage_updates VALUES (now()); RETURN NULL; END'`
      yield* sql`CREATE TRIGGER counted AFTER UPDATE ON organization_usage EXECUTE FUNCTION count_update()`
      const notified = yield* Ref.make(0)
      const notifications = yield* Notifications
      yield* Effect.forkScoped(
        Stream.runForEach(notifications.on(queueTables.message.channel), () =>
          Ref.update(notified, (count) => count + 1)
        )
      )
      // One read at the subscription, one when the connection is open.
      yield* until(Ref.get(notified), (count) => count === 2)

      // Two batch requests: single sends could be read one after the other on a slow machine.
      const responses = yield* Effect.forEach(
        Array.makeBy(2, () => ({ messages: Array.makeBy(sends / 2, () => send()) })),
        (body) => call("POST", "/v1/messages/batch", body),
        { concurrency: "unbounded" }
      )
      const statuses = responses.flatMap(({ body }) =>
        body.results.map(({ status }: { readonly status: number }) => status)
      )
      assert.deepStrictEqual(statuses, Array.replicate(201, sends))
      const [found] = yield* sql<{ transactions: number; updates: number }>`SELECT
        (SELECT count(DISTINCT xmin::text)::int FROM messages) AS transactions,
        (SELECT count(*)::int FROM usage_updates) AS updates`
      const { transactions = 0, updates = 0 } = found ?? {}
      yield* until(Ref.get(notified), (count) => count - 2 >= transactions)
      for (const count of [transactions, updates, (yield* Ref.get(notified)) - 2]) {
        assert.isAtLeast(count, 1)
        assert.isAtMost(count, most)
      }
    })
  )
})
