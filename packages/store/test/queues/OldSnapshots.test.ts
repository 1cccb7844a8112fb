import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { leaseExpired } from "@switchboard/store/messages/DeliveryQueueSql"
import type { LeaseRow } from "@switchboard/store/queues/LeaseEntries"
import { ResumedScan } from "@switchboard/store/queues/LowWaterMarks"
import { queueTables } from "@switchboard/store/queues/QueueTables"
import { Effect } from "effect"
import { v7 } from "uuid"
import { addEntries, buffersOf, holdSnapshot, keysOf, OwnLive, queueOf, request } from "./QueueEntries.js"

const gone = 1_500

const settled = (rows: ReadonlyArray<LeaseRow>) => keysOf(rows).map((key) => ({ ...key, retryAt: null }))

layer(OwnLive, { excludeTestServices: true })("Queues while another session holds a snapshot", (it) => {
  for (const table of Object.values(queueTables)) {
    const queueTable = `${table.name}_queue`
    const waitingTable = `${table.name}_waiting`

    it.scoped(`${table.name}: leases, recovers and promotes without reading entries that are gone`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const own = v7()
        const one = yield* queueOf(table)
        const take = (queue: typeof one) =>
          Effect.gen(function* () {
            yield* addEntries(table, own, 20)
            const { buffers, result } = yield* buffersOf(queueTable, queue.take(request(20)))
            assert.lengthOf(result, 20)
            yield* queue.settle("a", settled(result))
            return buffers
          })
        yield* take(one)
        const empty = yield* take(one)
        yield* one.recover
        yield* one.promote

        yield* holdSnapshot
        // The entries of other processes: leased, expired and settled.
        yield* addEntries(table, own, gone, { age: "1 minute" })
        yield* sql`UPDATE ${sql.literal(queueTable)} SET lease_until = now() - interval '10 seconds'`
        const columns = sql.literal(["organization_id", "id", ...table.columns].join(", "))
        yield* sql`INSERT INTO ${sql.literal(waitingTable)} (${columns}, due_at)
          SELECT ${columns}, now() - interval '1 minute' FROM ${sql.literal(queueTable)}`
        yield* sql`DELETE FROM ${sql.literal(waitingTable)}`
        yield* sql`DELETE FROM ${sql.literal(queueTable)}`

        assert.isAtMost(yield* take(one), 3 * empty)
        // Another process reads the table at its start.
        const other = yield* queueOf(table)
        const { buffers: first } = yield* buffersOf(queueTable, other.take(request(20)))
        assert.isBelow(first, gone / 5)
        assert.isAtMost(yield* take(other), 3 * empty)
        assert.isBelow((yield* buffersOf(queueTable, one.recover)).buffers, gone / 10)
        assert.isBelow((yield* buffersOf(waitingTable, one.promote)).buffers, gone / 10)
      })
    )
  }

  it.scoped("drains a backlog at a constant cost", () =>
    Effect.gen(function* () {
      const table = queueTables.message
      const queue = yield* queueOf(table)
      yield* holdSnapshot
      yield* addEntries(table, v7(), 400, { age: "10 seconds" })
      yield* addEntries(table, v7(), 400, { age: "10 seconds", lane: 1 })
      const round = Effect.gen(function* () {
        const rows = yield* queue.take(request(40))
        assert.lengthOf(rows, 40)
        yield* queue.settle("a", settled(rows))
      })
      const rounds = buffersOf("message_queue", Effect.replicateEffect(round, 5, { discard: true }))
      const { buffers: first } = yield* rounds
      yield* rounds
      yield* rounds
      const { buffers: last } = yield* rounds
      assert.isBelow(last, 1.3 * first)
    })
  )

  it.scoped("leases expired messages without reading entries that are gone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scan = new ResumedScan()
      const expire = sql.withTransaction(
        leaseExpired(sql, "email", scan, {
          ...request(100),
          skipped: [],
          attachmentBytes: 0,
          expiredOnly: true,
          pausedDomains: []
        })
      )
      yield* expire
      yield* holdSnapshot
      yield* addEntries(queueTables.message, v7(), gone, { age: "80 hours" })
      yield* sql`UPDATE message_queue SET lease_until = now()`
      // Statistics that autovacuum may collect now: no entry is ready.
      yield* sql`ANALYZE message_queue`
      yield* sql`DELETE FROM message_queue`
      assert.isBelow((yield* buffersOf("message_queue", expire)).buffers, gone / 10)
    })
  )
})
