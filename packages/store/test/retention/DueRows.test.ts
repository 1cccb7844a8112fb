import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { pageStatement } from "@switchboard/store/retention/DueRows"
import { bodies } from "@switchboard/store/retention/EraseBodies"
import { bounds } from "@switchboard/store/retention/RetentionMarks"
import { DateTime, Duration, Effect } from "effect"
import { v7 } from "uuid"
import { options } from "../email/receiving/Fixtures.js"
import { fillDatabase } from "../generated/FillDatabase.js"
import { explainBuffers } from "../lists/ExplainReads.js"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { vacuum } from "../Vacuum.js"

const retention = Duration.days(100)

/** The old messages by whether they must be erased, and whether they are. */
const oldMessages = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ isFinal: boolean; isErased: boolean; count: number }>`
    SELECT s.status NOT IN ('pending', 'scheduled', 'queued', 'processing') AS "isFinal",
      m.content ->> 'erasedAt' IS NOT NULL AS "isErased", count(*)::int AS count
    FROM messages AS m JOIN message_states AS s ON s.organization_id = m.organization_id AND s.message_id = m.id
    WHERE m.created_at < now() - make_interval(secs => ${Duration.toSeconds(retention)}) GROUP BY 1, 2 ORDER BY 1, 2`
)

const erasedCount = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ count: number }>`SELECT count(*)::int AS count FROM messages WHERE content ->> 'erasedAt' IS NOT NULL`,
    ([row]) => row?.count
  )
)

const marksOf = (organization: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT kind FROM retention_marks WHERE organization_id = ${organization} ORDER BY kind`
  )

layer(OwnStoreLive, options)("Rows beyond their retention", (it) => {
  it.effect("are erased once by two workers, in all organizations, beside sends", () =>
    Effect.gen(function* () {
      const { eraseBodies } = yield* RetentionRepo
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      yield* fillDatabase({ messages: 1_500, organizations: 30, without: ["events", "webhooks", "activity"] })
      const [open, final] = yield* oldMessages
      assert.isTrue(open !== undefined && final !== undefined)
      if (open === undefined || final === undefined) return
      assert.deepStrictEqual([open.isFinal, open.isErased], [false, false])
      assert.deepStrictEqual([final.isFinal, final.isErased], [true, false])
      assert.isAbove(final.count, 750)
      const own = yield* makeOrganization()
      const send = Effect.flatMap(newMessage(own), (message) => Effect.as(repo.accept(message), message.facts.id))
      const [one, other, sent] = yield* Effect.all(
        [eraseBodies(retention), eraseBodies(retention), Effect.replicateEffect(send, 30)],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(one + other, final.count)
      assert.deepStrictEqual(yield* oldMessages, [open, { ...final, isErased: true }])
      assert.strictEqual(yield* erasedCount, final.count)
      assert.deepStrictEqual(yield* sql`SELECT count(*)::int AS count FROM retention_rechecks WHERE kind = 'bodies'`, [
        { count: open.count }
      ])
      // Nothing is due, until the open messages are checked again.
      assert.strictEqual(yield* eraseBodies(retention), 0)
      yield* sql`UPDATE message_states SET status = 'failed'`
      yield* sql`DELETE FROM message_queue`
      yield* sql`DELETE FROM message_waiting`
      assert.strictEqual(yield* eraseBodies(retention), 0)
      yield* sql`UPDATE retention_rechecks SET due_at = now() - interval '1 s'`
      assert.strictEqual(yield* eraseBodies(retention), open.count)
      // With a shorter retention, all other rows are due at once.
      const [total] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM messages
        WHERE organization_id <> ${own}`
      yield* eraseBodies(Duration.millis(1))
      assert.isAtLeast((yield* erasedCount) ?? 0, total?.count ?? 0)
      assert.lengthOf(new Set(sent), 30)
    })
  )

  it.effect("cost a few buffers if none is due, with ten thousand organizations, and are read in bounded pages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO organizations (id, name, slug, plan, created_at, updated_at)
        SELECT id, 'A', id::text, 'free', now(), now() FROM (
          SELECT gen_random_uuid() AS id FROM generate_series(1, 10000)
        ) AS o`
      const now = yield* DateTime.now
      const { committed, end, markable } = bounds(now, retention)
      yield* sql`UPDATE retention_marks SET next_id = ${v7()}`
      yield* vacuum("retention_marks")
      const buffers = explainBuffers(pageStatement(bodies), ["bodies", end, markable, committed])
      assert.isBelow(yield* buffers, 10)
      yield* sql`UPDATE retention_marks SET next_id = done_to WHERE kind = 'bodies'`
      yield* vacuum("retention_marks")
      // Twenty organizations are read, and their marks written.
      assert.isBelow(yield* buffers, 800)
      const due = sql`SELECT FROM retention_marks WHERE kind = 'bodies' AND next_id < ${end}`
      assert.lengthOf(yield* due, 10_000 - 20)
    })
  )

  it.effect("are found in new organizations", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      assert.lengthOf(yield* marksOf(own), 5)
    })
  )
})
