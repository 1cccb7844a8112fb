import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { Duration, Effect } from "effect"
import { options } from "../email/receiving/Fixtures.js"
import { fillDatabase } from "../generated/FillDatabase.js"
import { explainReads } from "../lists/ExplainReads.js"
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
      assert.strictEqual(yield* eraseBodies(retention), 0)
      yield* sql`UPDATE message_states SET status = 'failed'`
      yield* sql`DELETE FROM message_queue`
      yield* sql`DELETE FROM message_waiting`
      assert.strictEqual(yield* eraseBodies(retention), open.count)
      assert.isEmpty(yield* sql`SELECT FROM retention_rechecks`)
      // With a shorter retention, all other rows are due at once.
      const [total] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM messages
        WHERE organization_id <> ${own}`
      yield* eraseBodies(Duration.millis(1))
      assert.isAtLeast((yield* erasedCount) ?? 0, total?.count ?? 0)
      assert.lengthOf(new Set(sent), 30)
    })
  )

  it.effect("are found with one descent of the index per organization", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO organizations (id, name, slug, plan, created_at, updated_at)
        SELECT id, 'A', id::text, 'free', now(), now() FROM (
          SELECT gen_random_uuid() AS id FROM generate_series(1, 1000)
        ) AS o`
      const { eraseBodies } = yield* RetentionRepo
      yield* vacuum("organizations", "messages", "retention_marks", "retention_rechecks")
      const reads = yield* explainReads(eraseBodies(retention))
      assert.lengthOf(reads, 2)
      for (const { buffers } of reads) assert.isBelow(buffers, 6 * 1_031)
    })
  )
})
