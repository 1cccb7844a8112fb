import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { assert, layer } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Duration, Effect, Layer } from "effect"
import { v7 } from "uuid"
import { forwardingLeases } from "../../src/email/forwarding/ForwardingLeases.js"
import { inboundLeases } from "../../src/email/receiving/TakeMails.js"
import { messageLeases } from "../../src/messages/LeaseEntries.js"
import { firstOwner, type LeaseRow } from "../../src/queues/Leases.js"
import { callLeases } from "../../src/voice/calls/TakeCalls.js"
import { noticeLeases } from "../../src/voice/calls/TakeNotices.js"
import { webhookLeases } from "../../src/webhooks/TakeWebhooks.js"
import { TestDatabase, TestDatabaseUrl } from "../TestDatabase.js"

const lease = Duration.seconds(60)

const queues = {
  message_queue: messageLeases,
  webhook_queue: webhookLeases,
  inbound_queue: inboundLeases,
  forwarding_queue: forwardingLeases,
  voice_call_queue: callLeases,
  voice_notice_queue: noticeLeases
}

const Live = TestDatabase.pipe(Layer.provideMerge(TestDatabaseUrl.Live))

layer(Live, { excludeTestServices: true, timeout: "60 seconds" })("The leases of", (it) => {
  for (const [table, leases] of Object.entries(queues)) {
    const organizationId = OrganizationId.make(v7())
    const owner = v7()

    /** An empty queue with so many new entries: their ids, the oldest first. */
    const filled = (count: number) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`TRUNCATE ${sql.literal(table)}`
        const ids = Array.from({ length: count }, () => v7())
        yield* Effect.forEach(ids, (id, at) => {
          const others = { message_id: id, event_id: id, endpoint_id: owner, agent_id: owner, retries_used: 0 }
          const entry = { ...others, organization_id: organizationId, id, takeovers: 0, is_repeat: false }
          const ready = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString()
          return sql`INSERT INTO ${sql.literal(table)} SELECT * FROM jsonb_populate_record(NULL::${sql.literal(table)},
            ${JSON.stringify({ ...entry, ready_at: ready, due_since: ready })}::jsonb)`
        })
        return ids
      })

    const take = (worker: string, except: ReadonlyArray<string> = [], limit = 10) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const request = { worker, lease, limit, perOwner: limit, saturated: [], except }
        const taking: Effect.Effect<ReadonlyArray<LeaseRow>, SqlError> = leases.take(sql, request, firstOwner)
        const rows = yield* sql.withTransaction(taking)
        return rows.map(({ id, is_repeat, takeovers }) => [id, takeovers, is_repeat])
      })

    const queue = leases.queue
    const keys = (ids: ReadonlyArray<string>) => ids.map((id) => ({ organizationId, id }))
    const begin = (worker: string, ...ids: ReadonlyArray<string>) =>
      Effect.flatMap(queue, (one) => Effect.map(one.begin(worker, keys(ids), lease), (held) => [...held].sort()))
    const renew = (worker: string, ...ids: ReadonlyArray<string>) =>
      Effect.flatMap(queue, (one) => Effect.map(one.renew(worker, keys(ids), lease), (held) => [...held].sort()))

    /** Every lease runs out, and is recovered. */
    const runOut = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE ${sql.literal(table)} SET lease_until = now() - interval '1 second'
        WHERE lease_until IS NOT NULL`
      return yield* Effect.flatMap(queue, ({ recover }) => recover)
    })

    it.effect(`${table} count and mark only attempts that had begun, and put those behind the others`, () =>
      Effect.gen(function* () {
        const [first = "", second = ""] = yield* filled(2)
        yield* take("a")
        assert.deepStrictEqual(yield* begin("a", first), [first])
        assert.strictEqual(yield* runOut, 2)
        assert.deepStrictEqual(yield* take("b"), [
          [second, 0, false],
          [first, 1, true]
        ])
        // It was marked when it was taken: an attempt that did not begin since is not to be marked.
        yield* runOut
        assert.deepStrictEqual(yield* take("c"), [
          [second, 0, false],
          [first, 1, false]
        ])
      })
    )

    it.effect(`${table} are begun and renewed by the last holder, until another worker takes them`, () =>
      Effect.gen(function* () {
        const [kept = "", lost = ""] = yield* filled(2)
        yield* take("a")
        yield* begin("a", kept, lost)
        yield* runOut
        assert.deepStrictEqual(yield* take("b", [kept]), [[lost, 1, true]])
        assert.deepStrictEqual(yield* renew("a", kept, lost), [kept])
        assert.deepStrictEqual(yield* begin("a", kept, lost), [kept])
        assert.isEmpty(yield* take("c"))
        // Its worker was not lost.
        yield* Effect.flatMap(queue, ({ forgive }) => forgive(keys([lost])))
        yield* runOut
        assert.deepStrictEqual(yield* take("c"), [
          [lost, 0, false],
          [kept, 1, true]
        ])
      })
    )

    it.effect(`${table} are settled by the last holder, and by no other`, () =>
      Effect.gen(function* () {
        const [one = "", other = ""] = yield* filled(2)
        const sql = yield* SqlClient.SqlClient
        const locked = (worker: string) =>
          Effect.map(sql.withTransaction(leases.lock(sql, worker, keys([one, other]))), (found) =>
            [...found.keys()].sort()
          )
        yield* take("a")
        yield* runOut
        yield* take("b", [one])
        assert.deepStrictEqual(yield* locked("a"), [one])
        assert.deepStrictEqual(yield* locked("b"), [other])
      })
    )

    it.effect(`${table} that are released are ready at once, not counted, and marked if they had begun`, () =>
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

    it.effect(`${table} that were given back are as they were before`, () =>
      Effect.gen(function* () {
        const [id = ""] = yield* filled(1)
        const sql = yield* SqlClient.SqlClient
        yield* take("a")
        yield* begin("a", id)
        yield* runOut
        const request = { worker: "b", lease, limit: 1, perOwner: 1, saturated: [], except: [] }
        const taking: Effect.Effect<ReadonlyArray<LeaseRow>, SqlError> = leases.take(sql, request, firstOwner)
        yield* sql.withTransaction(Effect.flatMap(taking, (rows) => leases.giveBack(sql, rows)))
        assert.deepStrictEqual(yield* take("c"), [[id, 1, true]])
      })
    )
  }
})
