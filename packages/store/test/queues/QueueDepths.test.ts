import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type QueueDepth, queueNames } from "@switchboard/domain/system/SystemStatus"
import { InboundMails } from "@switchboard/services/email/receiving/InboundMail"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { depthsStatement } from "@switchboard/store/queues/QueueStateSql"
import { DateTime, Effect } from "effect"
import { v7 } from "uuid"
import { arrived, options } from "../email/receiving/Fixtures.js"
import { explainBuffers } from "../lists/ExplainReads.js"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const empty: Omit<QueueDepth, "queue"> = { ready: 0, leased: 0, waiting: 0, oldestSeconds: 0, isPaused: false }

/** The depths of the queues with entries. */
const depths = Effect.flatMap(QueueDepths, ({ all }) =>
  Effect.map(all, (found) => found.filter(({ leased, ready, waiting }) => leased + ready + waiting > 0))
)

const seconds = (depth: QueueDepth | undefined) => Math.floor(depth?.oldestSeconds ?? -1)

layer(OwnStoreLive, options)("QueueDepths", (it) => {
  it.effect("returns every queue, with zeros when it is empty", () =>
    Effect.gen(function* () {
      const { all } = yield* QueueDepths
      assert.deepStrictEqual(
        yield* all,
        queueNames.map((queue) => ({ queue, ...empty }))
      )
    })
  )

  it.effect("returns the age of the oldest entry that is overdue", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const entry = (change: object) =>
        sql`INSERT INTO inbound_queue ${sql.insert({ organization_id: own, id: v7(), ready_at: new Date(), ...change })}`
      const waits = (due: string) =>
        sql`INSERT INTO inbound_waiting (organization_id, id, due_at) VALUES (${own}, ${v7()}, now() + ${due}::interval)`
      yield* entry({ worker: "w", lease_until: new Date(Date.now() + 60_000) })
      yield* waits("1 hour")
      assert.deepStrictEqual(yield* depths, [{ ...empty, queue: "inbound", leased: 1, waiting: 1 }])
      // Due and not promoted; an expired lease; ready and not leased.
      yield* waits("-10 seconds")
      assert.strictEqual(seconds((yield* depths)[0]), 10)
      yield* entry({ worker: "lost", lease_until: new Date(Date.now() - 100_500) })
      assert.strictEqual(seconds((yield* depths)[0]), 100)
      yield* entry({ ready_at: new Date(Date.now() - 1_000_500) })
      const [depth] = yield* depths
      assert.strictEqual(seconds(depth), 1000)
      assert.deepInclude(depth, { ready: 1, leased: 2, waiting: 2 })
      yield* sql`TRUNCATE inbound_queue, inbound_waiting`
    })
  )

  it.effect("estimates the depths of large queues from a bounded number of pages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const entries = 100_000
      yield* sql`INSERT INTO inbound_queue (organization_id, id, ready_at, lease_until)
        SELECT ${own}, gen_random_uuid(), now(), CASE WHEN n % 4 = 0 THEN now() + interval '1 hour' END
        FROM generate_series(1, ${entries}) AS n`
      yield* sql`INSERT INTO inbound_waiting (organization_id, id, due_at)
        SELECT ${own}, gen_random_uuid(), now() + interval '1 hour' FROM generate_series(1, ${entries})`
      const [depth] = yield* depths
      assert.approximately(depth?.ready ?? 0, 0.75 * entries, 0.1 * entries)
      assert.approximately(depth?.leased ?? 0, 0.25 * entries, 0.1 * entries)
      assert.approximately(depth?.waiting ?? 0, entries, 0.1 * entries)
      assert.isBelow(yield* explainBuffers(depthsStatement), 1_500)
      yield* sql`TRUNCATE inbound_queue, inbound_waiting`
    })
  )

  it.effect("counts recent mails that could not be parsed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { unparsedMails } = yield* QueueDepths
      const own = yield* makeOrganization()
      const now = yield* DateTime.now
      const mails = yield* Effect.all([arrived(own), arrived(own), arrived(own)])
      const { store } = yield* InboundMails
      yield* Effect.forEach(mails, (mail) => store([mail]))
      assert.strictEqual(yield* unparsedMails(DateTime.subtract(now, { hours: 1 })), 0)
      yield* sql`UPDATE inbound_mails SET parse_error = 'It has too many parts'
        WHERE organization_id = ${own} AND id <> ${mails[0].id}`
      yield* sql`UPDATE inbound_mails SET received_at = now() - interval '1 day'
        WHERE organization_id = ${own} AND id = ${mails[1].id}`
      assert.strictEqual(yield* unparsedMails(DateTime.subtract(now, { hours: 1 })), 1)
      yield* sql`TRUNCATE inbound_queue, inbound_waiting`
    })
  )
})
