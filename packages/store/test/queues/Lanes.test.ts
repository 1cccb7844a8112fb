import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import type { LeaseRow } from "@switchboard/store/queues/LeaseEntries"
import { queueTables } from "@switchboard/store/queues/QueueTables"
import { DateTime, Effect, Layer } from "effect"
import { v7 } from "uuid"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { addEntries, Live, queueOf, request } from "./QueueEntries.js"

const table = queueTables.message

/** A queue with entries of one owner, and the names of the entries that it leases. */
const filled = (bulk: number, urgent: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`TRUNCATE message_queue, message_waiting`
    const own = v7()
    const names = new Map<string, string>()
    const later = yield* addEntries(table, own, bulk, { age: "2 minutes", lane: 1 })
    later.forEach((id, index) => void names.set(id, `bulk ${index + 1}`))
    const first = yield* addEntries(table, own, urgent)
    first.forEach((id, index) => void names.set(id, `urgent ${index + 1}`))
    const queue = yield* queueOf(table)
    const named = (rows: ReadonlyArray<LeaseRow>) => rows.map(({ id }) => names.get(id))
    return { own, queue, names, take: (limit: number) => Effect.map(queue.take(request(limit)), named) }
  })

layer(Live, { excludeTestServices: true })("Lanes of a queue", (it) => {
  it.effect("lease one entry of lane 1 after four of lane 0, and the rest at the end", () =>
    Effect.gen(function* () {
      const { take } = yield* filled(6, 6)
      assert.deepStrictEqual(yield* take(12), [
        ...["urgent 1", "urgent 2", "urgent 3", "urgent 4", "bulk 1", "urgent 5", "urgent 6"],
        ...["bulk 2", "bulk 3", "bulk 4", "bulk 5", "bulk 6"]
      ])
    })
  )

  it.effect("lease one in five over several takes", () =>
    Effect.gen(function* () {
      const { take } = yield* filled(10, 20)
      const lanes: Array<string | undefined> = []
      for (const limit of [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 5]) {
        lanes.push(...(yield* take(limit)).map((name) => name?.split(" ")[0]))
      }
      assert.deepStrictEqual(
        lanes,
        Array.from({ length: 20 }, (_, index) => (index % 5 === 4 ? "bulk" : "urgent"))
      )
    })
  )

  it.effect("lease an entry of lane 0 before a large backlog of lane 1", () =>
    Effect.gen(function* () {
      const { names, own, take } = yield* filled(2_000, 0)
      assert.deepStrictEqual(yield* take(3), ["bulk 1", "bulk 2", "bulk 3"])
      const [id = ""] = yield* addEntries(table, own, 1)
      names.set(id, "lone")
      assert.deepStrictEqual(yield* take(3), ["lone", "bulk 4", "bulk 5"])
    })
  )

  it.effect("do not change the shares of owners", () =>
    Effect.gen(function* () {
      const { own, queue } = yield* filled(20, 0)
      const other = v7()
      yield* addEntries(table, other, 20)
      const rows = yield* queue.take(request(10))
      assert.strictEqual(rows.filter(({ owner }) => owner === own).length, 5)
      assert.strictEqual(rows.filter(({ owner }) => owner === other).length, 5)
    })
  )

  it.effect("are set when a message is accepted, also a scheduled one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`TRUNCATE message_queue, message_waiting`
      const { accept } = yield* MessageRepo
      const own = yield* makeOrganization()
      const scheduledAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      for (const isBulk of [false, true]) {
        yield* Effect.flatMap(newMessage(own, { isBulk }), accept)
        yield* Effect.flatMap(newMessage(own, { isBulk, scheduledAt }), accept)
      }
      const lanes = [{ lane: 0 }, { lane: 1 }]
      assert.deepStrictEqual(yield* sql`SELECT lane FROM message_queue ORDER BY lane`, lanes)
      assert.deepStrictEqual(yield* sql`SELECT lane FROM message_waiting ORDER BY lane`, lanes)
    }).pipe(Effect.provide(Layer.merge(MessageRepoSql, OrganizationRepoSql)))
  )

  it.effect("are 0 for an entry of an earlier release", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { own, take } = yield* filled(2, 0)
      yield* sql`INSERT INTO message_queue (organization_id, id, message_id, ready_at, due_since)
        VALUES (${own}, ${v7()}, ${v7()}, now(), now())`
      assert.deepStrictEqual(yield* take(2), [undefined, "bulk 1"])
    })
  )

  it.effect("stay the same for a retry", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { queue } = yield* filled(1, 1)
      const rows = yield* queue.take(request(2))
      const retryAt = DateTime.add(yield* DateTime.now, { hours: 1 })
      yield* queue.settle(
        "a",
        rows.map(({ id, organization_id }) => ({ organizationId: organization_id, id, retryAt }))
      )
      yield* sql`UPDATE message_waiting SET due_at = now()`
      assert.strictEqual(yield* queue.promote, 2)
      assert.deepStrictEqual(yield* sql`SELECT lane FROM message_queue ORDER BY lane`, [{ lane: 0 }, { lane: 1 }])
    })
  )
})
