import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { NotificationsLive, notify, queueTables } from "@switchboard/store/queues/QueueTables"
import { DateTime, Effect, Fiber, Layer, Stream } from "effect"
import { v7 } from "uuid"
import { SharedDatabase } from "../TestDatabase.js"
import { addEntries, idsOf, queueOf, request } from "./QueueEntries.js"

const { lease } = request(10)

const Live = Layer.provideMerge(NotificationsLive, SharedDatabase)

layer(Live, { excludeTestServices: true })("WorkQueue", (it) => {
  for (const table of Object.values(queueTables)) {
    const { name } = table
    const organizationId = OrganizationId.make(v7())
    const queue = queueOf(table)
    const keys = (ids: ReadonlyArray<string>) => ids.map((id) => ({ organizationId, id }))

    /** Empties the queue and adds entries of one owner. Returns their ids, the oldest first. */
    const filled = (count: number) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`TRUNCATE ${sql.literal(`${name}_queue, ${name}_waiting`)}`
        return yield* addEntries(table, organizationId, count, { age: "1 hour" })
      })

    const take = (worker: string, overrides: Parameters<typeof request>[1] = {}) =>
      Effect.gen(function* () {
        const rows = yield* Effect.flatMap(queue, (one) => one.take(request(10, { worker, ...overrides })))
        return rows.map(({ id, is_repeat, lease_expiries }) => [id, lease_expiries, is_repeat])
      })

    const begin = (worker: string, ...ids: ReadonlyArray<string>) =>
      Effect.flatMap(queue, (one) => Effect.map(one.begin(worker, keys(ids), lease), (held) => [...held].sort()))
    const renew = (worker: string, ...ids: ReadonlyArray<string>) =>
      Effect.flatMap(queue, (one) => Effect.map(one.renew(worker, keys(ids), lease), (held) => [...held].sort()))
    const settle = (worker: string, id: string, retryAt: DateTime.Utc | null) =>
      Effect.flatMap(queue, (one) => one.settle(worker, [{ organizationId, id, retryAt }]))

    /** Expires and recovers every lease. */
    const expireLeases = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE ${sql.literal(`${name}_queue`)} SET lease_until = now()
        WHERE lease_until IS NOT NULL`
      return yield* Effect.flatMap(queue, ({ recover }) => recover)
    })

    /** The number of entries in the two tables. */
    const counts = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`SELECT (SELECT count(*)::int FROM ${sql.literal(`${name}_queue`)}) AS queue,
        (SELECT count(*)::int FROM ${sql.literal(`${name}_waiting`)}) AS waiting`
      return { ...row }
    })

    it.effect(`${name}: counts and marks only attempts that had begun, and puts their entries last`, () =>
      Effect.gen(function* () {
        const [first = "", second = ""] = yield* filled(2)
        yield* take("a")
        assert.deepStrictEqual(yield* begin("a", first), [first])
        assert.strictEqual(yield* expireLeases, 2)
        assert.deepStrictEqual(yield* take("b"), [
          [second, 0, false],
          [first, 1, true]
        ])
        // The repeat was marked at the lease before; no attempt has begun since.
        yield* expireLeases
        assert.deepStrictEqual(yield* take("c"), [
          [second, 0, false],
          [first, 1, false]
        ])
      })
    )

    it.effect(`${name}: allows the last holder to begin and renew until another worker leases the entry`, () =>
      Effect.gen(function* () {
        const [kept = "", lost = ""] = yield* filled(2)
        yield* take("a")
        yield* begin("a", kept, lost)
        yield* expireLeases
        assert.deepStrictEqual(yield* take("b", { except: [kept] }), [[lost, 1, true]])
        assert.deepStrictEqual(yield* renew("a", kept, lost), [kept])
        assert.strictEqual(yield* Effect.flatMap(queue, ({ recover }) => recover), 0)
        assert.deepStrictEqual(yield* begin("a", kept, lost), [kept])
        assert.isEmpty(yield* take("c"))
        // The lease was not lost.
        yield* Effect.flatMap(queue, ({ forgive }) => forgive(keys([lost])))
        yield* expireLeases
        assert.deepStrictEqual(yield* take("c"), [
          [lost, 0, false],
          [kept, 1, true]
        ])
      })
    )

    it.effect(`${name}: allows only the last holder to settle`, () =>
      Effect.gen(function* () {
        const [one = "", other = ""] = yield* filled(2)
        yield* take("a")
        yield* expireLeases
        yield* take("b", { except: [one] })
        yield* settle("b", one, null)
        yield* settle("a", other, null)
        assert.deepStrictEqual(yield* counts, { queue: 2, waiting: 0 })
        yield* settle("a", one, null)
        yield* settle("b", other, null)
        assert.deepStrictEqual(yield* counts, { queue: 0, waiting: 0 })
      })
    )

    it.effect(`${name}: stores a retry without the counts of its leases`, () =>
      Effect.gen(function* () {
        const [id = ""] = yield* filled(1)
        const sql = yield* SqlClient.SqlClient
        const now = yield* DateTime.now
        const { promote } = yield* queue
        yield* take("a")
        yield* begin("a", id)
        yield* expireLeases
        assert.deepStrictEqual(yield* take("b"), [[id, 1, true]])
        yield* settle("b", id, DateTime.add(now, { hours: 1 }))
        assert.deepStrictEqual([yield* counts, yield* promote], [{ queue: 0, waiting: 1 }, 0])
        yield* sql`UPDATE ${sql.literal(`${name}_waiting`)} SET due_at = now()`
        assert.deepStrictEqual([yield* promote, yield* counts], [1, { queue: 1, waiting: 0 }])
        assert.deepStrictEqual(yield* take("c"), [[id, 0, false]])
        yield* begin("c", id)
        yield* expireLeases
        assert.deepStrictEqual(yield* take("d"), [[id, 1, true]])
        yield* settle("d", id, DateTime.subtract(now, { hours: 1 }))
        assert.deepStrictEqual(yield* counts, { queue: 1, waiting: 0 })
        assert.deepStrictEqual(yield* take("e"), [[id, 0, false]])
      })
    )

    it.effect(`${name}: separates entries of two organizations with the same id`, () =>
      Effect.gen(function* () {
        const [id = ""] = yield* filled(1)
        const sql = yield* SqlClient.SqlClient
        const other = OrganizationId.make(v7())
        const queueTable = sql.literal(`${name}_queue`)
        yield* sql`INSERT INTO ${queueTable} SELECT (jsonb_populate_record(q, ${JSON.stringify({
          organization_id: other
        })}::jsonb)).* FROM ${queueTable} AS q`
        yield* take("a")
        const now = yield* DateTime.now
        const { settle } = yield* queue
        yield* settle("a", [
          { organizationId, id, retryAt: DateTime.add(now, { hours: 1 }) },
          { organizationId: other, id, retryAt: DateTime.add(now, { hours: 2 }) }
        ])
        const rows = yield* sql`SELECT organization_id FROM ${sql.literal(`${name}_waiting`)} ORDER BY due_at`
        assert.deepStrictEqual(
          rows.map(({ organization_id }) => organization_id),
          [organizationId, other]
        )
      })
    )

    it.effect(`${name}: makes a released entry ready, not counted, and marked if it had begun`, () =>
      Effect.gen(function* () {
        const [begun = "", waiting = ""] = yield* filled(2)
        yield* take("a")
        yield* begin("a", begun)
        yield* Effect.flatMap(queue, ({ release }) => release("a", keys([begun, waiting])))
        assert.deepStrictEqual(yield* take("b"), [
          [begun, 0, true],
          [waiting, 0, false]
        ])
      })
    )

    it.effect(`${name}: does not change an excess entry, and deletes an entry without work`, () =>
      Effect.gen(function* () {
        const [id = ""] = yield* filled(1)
        yield* take("a")
        yield* begin("a", id)
        yield* expireLeases
        assert.isEmpty(yield* take("b", { finds: "no room" }))
        assert.deepStrictEqual(yield* take("c"), [[id, 1, true]])
        yield* expireLeases
        assert.isEmpty(yield* take("d", { finds: "no work" }))
        assert.deepStrictEqual(yield* counts, { queue: 0, waiting: 0 })
      })
    )

    it.effect(
      `${name}: leases from owners round robin after the last one, up to a limit, and from others the rest`,
      () =>
        Effect.gen(function* () {
          yield* filled(0)
          const [first = "", second = ""] = [v7(), v7()].sort()
          const [a1 = "", a2 = "", a3 = ""] = yield* addEntries(table, first, 3, { age: "1 hour" })
          const [b1 = "", b2 = ""] = yield* addEntries(table, second, 2, { age: "1 hour" })
          const one = yield* queue
          const next = (limit: number, overrides: Parameters<typeof request>[1] = {}) =>
            Effect.map(one.take(request(limit, { perOwner: 10, ...overrides })), idsOf)
          assert.deepStrictEqual(yield* next(2), [a1, b1])
          assert.deepStrictEqual(yield* next(1), [a2])
          assert.deepStrictEqual(yield* next(1), [b2])
          assert.isEmpty(yield* next(1, { skipped: [first] }))
          const many = [a3, ...(yield* addEntries(table, first, 20))]
          const [few = ""] = yield* addEntries(table, second, 1)
          assert.deepStrictEqual(yield* next(10, { perOwner: 3 }), [many[0], few, many[1], many[2]])
          const [more = ""] = yield* addEntries(table, second, 1)
          assert.sameMembers(yield* next(6), [...many.slice(3, 8), more])
        })
    )

    it.effect(`${name}: notifies its workers`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { woken } = yield* queue
        // One on subscribing, and one when the connection is made.
        const notified = yield* Effect.fork(Stream.runDrain(Stream.take(woken, 3)))
        yield* Effect.repeat(Effect.zipRight(sql`SELECT ${sql.literal(notify(table))}`, Effect.yieldNow()), {
          until: () => Effect.map(Fiber.status(notified), ({ _tag }) => _tag === "Done")
        })
        yield* Fiber.join(notified)
      })
    )
  }

  it.scoped("uses one connection for the notifications of all queues", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(Object.values(queueTables), (table) =>
        Effect.flatMap(queueOf(table), ({ woken }) => Effect.forkScoped(Stream.runDrain(woken)))
      )
      const listeners = sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'switchboard-listen' AND query LIKE 'LISTEN%'`
      const [found] = yield* Effect.repeat(listeners, { until: ([row]) => (row?.count ?? 0) > 0 })
      assert.strictEqual(found?.count, 1)
    })
  )
})
