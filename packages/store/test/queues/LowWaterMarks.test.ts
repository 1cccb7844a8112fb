import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { queueTables } from "@switchboard/store/queues/QueueTables"
import { Effect, Redacted, Stream } from "effect"
import { Client } from "pg"
import { v7 } from "uuid"
import { TestDatabaseUrl } from "../TestDatabase.js"
import { later } from "./MonotonicTime.js"
import { addEntries, idsOf, keysOf, Live, queueOf, request } from "./QueueEntries.js"

const table = queueTables.inbound
const fullScan = later("6 seconds")

/** A process that has leased entries of an owner, and found no others. */
const processAfterTakes = (owner: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`TRUNCATE inbound_queue, inbound_waiting`
    const queue = yield* queueOf(table)
    yield* addEntries(table, owner, 10)
    assert.lengthOf(yield* queue.take(request(20)), 10)
    assert.isEmpty(yield* queue.take(request(20)))
    return queue
  })

layer(Live, { excludeTestServices: true })("Low-water marks", (it) => {
  it.effect("find an entry of a transaction that commits late, in the next full scan", () =>
    Effect.gen(function* () {
      const [own, unknown] = [v7(), v7()]
      const queue = yield* processAfterTakes(own)
      const late = [
        ...(yield* addEntries(table, own, 2, { age: "10 seconds" })),
        ...(yield* addEntries(table, unknown, 1, { age: "10 seconds" }))
      ]
      assert.isEmpty(yield* queue.take(request(20)))
      assert.sameMembers(idsOf(yield* fullScan(queue.take(request(20)))), late)
      assert.isEmpty(yield* later("12 seconds")(queue.take(request(20))))
    })
  )

  it.effect("are not later than the transactions that may still commit", () =>
    Effect.gen(function* () {
      const own = v7()
      const queue = yield* processAfterTakes(own)
      // A lease of the newest entry, before an entry of a transaction with an earlier time commits.
      yield* addEntries(table, own, 1, { age: "-1 hour" })
      assert.lengthOf(yield* queue.take(request(1)), 1)
      const late = yield* addEntries(table, own, 1)
      assert.deepStrictEqual(idsOf(yield* queue.take(request(1))), late)
    })
  )

  it.effect("are not later than the start of a transaction in progress", () =>
    Effect.gen(function* () {
      const own = v7()
      const queue = yield* processAfterTakes(own)
      const client = new Client({ connectionString: Redacted.value(yield* TestDatabaseUrl) })
      const id = v7()
      yield* Effect.promise(() => client.connect())
      yield* Effect.promise(() => client.query("BEGIN"))
      const insert = "INSERT INTO inbound_queue (organization_id, id, ready_at) VALUES ($1, $2, now())"
      yield* Effect.promise(() => client.query(insert, [own, id]))
      const sql = yield* SqlClient.SqlClient
      yield* sql`SELECT pg_sleep(0.6)`
      assert.isEmpty(yield* queue.take(request(20)))
      yield* Effect.promise(() => client.query("COMMIT"))
      yield* Effect.promise(() => client.end())
      assert.deepStrictEqual(idsOf(yield* queue.take(request(20))), [id])
    })
  )

  it.effect("find entries that the process itself returned, at once and in their order", () =>
    Effect.gen(function* () {
      const own = v7()
      const queue = yield* processAfterTakes(own)
      yield* addEntries(table, own, 10, { age: "10 seconds" })
      const leased = yield* fullScan(queue.take(request(10)))
      assert.lengthOf(leased, 10)
      assert.isEmpty(yield* queue.take(request(10)))
      yield* queue.release("a", keysOf(leased.slice(3, 7)))
      assert.deepStrictEqual(idsOf(yield* queue.take(request(10))), idsOf(leased.slice(3, 7)))
    })
  )

  it.effect("find entries that another process returned", () =>
    Effect.gen(function* () {
      const own = v7()
      const other = yield* processAfterTakes(own)
      yield* addEntries(table, own, 10, { age: "10 seconds" })
      const leased = yield* fullScan(other.take(request(10, { worker: "b" })))
      const queue = yield* queueOf(table)
      assert.isEmpty(yield* queue.take(request(10)))
      yield* other.release("b", keysOf(leased))
      assert.isEmpty(yield* queue.take(request(10)))
      assert.deepStrictEqual(idsOf(yield* fullScan(queue.take(request(10)))), idsOf(leased))
    })
  )

  it.effect("find them sooner after the notification", () =>
    Effect.gen(function* () {
      const own = v7()
      const other = yield* processAfterTakes(own)
      yield* addEntries(table, own, 1, { age: "10 seconds" })
      const leased = yield* fullScan(other.take(request(10, { worker: "b" })))
      const queue = yield* queueOf(table)
      assert.isEmpty(yield* queue.take(request(10)))
      yield* other.release("b", keysOf(leased))
      // The first element of the stream stands for notifications that may have been missed.
      yield* Stream.runDrain(Stream.take(queue.woken, 1))
      assert.deepStrictEqual(idsOf(yield* later("2 seconds")(queue.take(request(10)))), idsOf(leased))
    })
  )

  it.effect("find an entry that another process had locked, and did not lease", () =>
    Effect.gen(function* () {
      const own = v7()
      const queue = yield* processAfterTakes(own)
      const [locked] = yield* addEntries(table, own, 1)
      const next = yield* addEntries(table, own, 3)
      const client = new Client({ connectionString: Redacted.value(yield* TestDatabaseUrl) })
      yield* Effect.promise(() => client.connect())
      yield* Effect.promise(() => client.query("BEGIN"))
      yield* Effect.promise(() => client.query("SELECT FROM inbound_queue WHERE id = $1 FOR UPDATE", [locked]))
      assert.deepStrictEqual(idsOf(yield* queue.take(request(10))), next)
      yield* Effect.promise(() => client.end())
      assert.deepStrictEqual(idsOf(yield* fullScan(queue.take(request(10)))), [locked])
    })
  )

  it.effect("find due entries and expired leases that appear late", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = v7()
      const queue = yield* processAfterTakes(own)
      assert.deepStrictEqual([yield* queue.promote, yield* queue.recover], [0, 0])
      yield* sql`INSERT INTO inbound_waiting (organization_id, id, due_at) VALUES (${own}, ${v7()}, now() - interval '1 hour')`
      yield* sql`UPDATE inbound_queue SET lease_until = now() - interval '1 hour'`
      assert.deepStrictEqual([yield* queue.promote, yield* queue.recover], [0, 0])
      assert.deepStrictEqual([yield* fullScan(queue.promote), yield* fullScan(queue.recover)], [1, 10])
    })
  )

  it.effect("cover more owners than one statement considers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* processAfterTakes(v7())
      yield* sql`TRUNCATE inbound_queue`
      const count = 450
      yield* sql`INSERT INTO inbound_queue (organization_id, id, ready_at)
        SELECT o, gen_random_uuid(), now() FROM (SELECT gen_random_uuid() AS o FROM generate_series(1, ${count})) AS owners,
          generate_series(1, 2)`
      const owners = new Set<string>()
      let taken = 0
      while (taken < 2 * count) {
        const rows = yield* queue.take(request(150))
        assert.lengthOf(rows, 150)
        taken += rows.length
        for (const { owner } of rows) owners.add(owner)
        // Every owner has a turn before any has its second.
        assert.strictEqual(owners.size, Math.min(taken, count))
      }
      assert.isEmpty(yield* queue.take(request(150)))
      // All owners have marks, and no entries.
      const [last = ""] = [...owners].sort().slice(-1)
      const [id] = yield* addEntries(table, last, 1)
      assert.deepStrictEqual(idsOf(yield* queue.take(request(150))), [id])
    })
  )
})
