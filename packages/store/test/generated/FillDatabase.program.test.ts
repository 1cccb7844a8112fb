import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { DateTime, Effect } from "effect"
import { recountTop } from "../analytics/MadeParties.js"
import { countedEvents, countsOf, type KnownMessages, recordMessages } from "../analytics/Recount.js"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { accept, begin, delivered, OwnLive, settle, take } from "../messages/QueueFixtures.js"
import { fillDatabase } from "./FillDatabase.js"

/** The columns of an organization's rows that are set, and the mean size of a row. */
const shapeOf = (table: string, organization: string, where: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql.unsafe<{ columns: ReadonlyArray<string>; size: number }>(
        `WITH r AS (SELECT * FROM ${table} AS r WHERE organization_id = $1 AND ${where})
        SELECT ARRAY(SELECT DISTINCT c.key FROM r, jsonb_each(to_jsonb(r)) AS c WHERE c.value <> 'null' ORDER BY 1) AS columns,
          (SELECT coalesce(avg(pg_column_size(r)), 0) FROM r)::float8 AS size`,
        [organization]
      ),
      ([row]) => row ?? { columns: [], size: 0 }
    )
  )

layer(OwnLive, { excludeTestServices: true })("Generated data", (it) => {
  it.effect("has the rows that the service writes", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      yield* accept(own, 3)
      const taken = yield* take("w1")
      yield* begin("w1", taken)
      yield* settle("w1", taken, delivered)
      const repo = yield* MessageRepo
      yield* repo.accept(yield* newMessage(own, { scheduledAt: DateTime.unsafeMake("2100-01-01T00:00:00Z") }))
      yield* accept(own, 1)
      const [filled] = yield* fillDatabase({ messages: 2_000, organizations: 2 })

      const about = (column: string, status: string) => `${column} IN (SELECT message_id FROM message_states AS s JOIN
        messages AS m ON m.organization_id = s.organization_id AND m.id = message_id WHERE status = '${status}'
        AND direction = 'outbound' AND m.organization_id = r.organization_id AND external_id IS NULL AND thread_id IS NULL)`
      for (const status of ["delivered", "pending", "scheduled"]) {
        for (const [table, column] of [
          ["messages", "id"],
          ["message_states", "message_id"],
          ["message_participants", "message_id"],
          ["events", "subject_id"],
          ["message_queue", "message_id"],
          ["message_waiting", "message_id"]
        ] as const) {
          const real = yield* shapeOf(table, own, about(column, status))
          const generated = yield* shapeOf(table, filled?.id ?? "", about(column, status))
          assert.deepStrictEqual(generated.columns, real.columns, `${table} of ${status} messages`)
          if (real.size > 0) assert.closeTo(generated.size / real.size, 1.3, 0.6, `${table} of ${status} messages`)
        }
      }
      for (const table of ["participants", "participant_addresses", "organization_usage"]) {
        assert.deepStrictEqual(
          (yield* shapeOf(table, filled?.id ?? "", "true")).columns,
          (yield* shapeOf(table, own, "true")).columns
        )
      }
    })
  )

  it.effect("has counts that equal a recount", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [first] = yield* sql<{ id: string }>`SELECT id FROM organizations WHERE slug = 'generated-1'`
      const id = OrganizationId.make(first?.id ?? "")
      const recorded: KnownMessages = new Map()
      yield* recordMessages(id, recorded)
      const { responseMillis, ...counts } = countsOf(yield* countedEvents(id, recorded))
      const [kept] = yield* sql`SELECT sum(accepted)::int AS accepted, sum(sent)::int AS sent,
          sum(delivered)::int AS delivered, sum(read)::int AS read, sum(clicked)::int AS clicked, sum(failed)::int AS failed,
          sum(bounced)::int AS bounced, sum(refused)::int AS refused, sum(complained)::int AS complained,
          sum(received)::int AS received, sum(cost)::text AS cost, sum(responses)::int AS responses,
          sum(response_ms)::float8 AS "responseMillis" FROM rollup_messages WHERE organization_id = ${id}`
      assert.deepStrictEqual(kept, { ...counts, responseMillis })
      assert.isAbove(counts.responses, 0)
      const [top] = yield* recountTop(id, { start: DateTime.unsafeMake(0), end: DateTime.unsafeMake("2100-01-01") }, 1)
      const [greatest] = yield* sql`SELECT participant_id AS "participantId", sum(messages)::float8 AS "messageCount"
        FROM rollup_participants WHERE organization_id = ${id} GROUP BY 1 ORDER BY 2 DESC, 1 DESC LIMIT 1`
      assert.deepInclude(top, greatest)

      const [sums] = yield* sql`SELECT
        (SELECT sum(one)::int FROM rollup_messages, unnest(latency_messages) AS one
          WHERE organization_id = ${id}) AS latencies,
        (SELECT messages_kept::int FROM organization_usage WHERE organization_id = ${id}) AS messages,
        (SELECT active_threads FROM organization_usage WHERE organization_id = ${id}) AS threads,
        (SELECT count(DISTINCT e)::int FROM event_batches, unnest(events) AS e WHERE organization_id = ${id}) AS events,
        (SELECT (max(position) - last)::int FROM event_batches JOIN event_positions USING (organization_id)
          WHERE organization_id = ${id} GROUP BY last) AS positions,
        (SELECT sum(requests)::int FROM api_key_usage WHERE organization_id = ${id}) AS requests,
        (SELECT sum(requests)::int FROM api_key_totals WHERE organization_id = ${id}) AS totals,
        (SELECT sum(delivered + failed)::int FROM webhook_endpoint_health WHERE organization_id = ${id}) AS deliveries`
      const [rows] = yield* sql`SELECT ${counts.sent}::int AS latencies,
        (SELECT count(*)::int FROM messages WHERE organization_id = ${id}) AS messages,
        (SELECT count(DISTINCT thread_id)::int FROM messages WHERE organization_id = ${id}) AS threads,
        (SELECT count(*)::int FROM events WHERE organization_id = ${id}) AS events, 0 AS positions,
        (SELECT count(*)::int FROM api_key_activity WHERE organization_id = ${id}) AS requests,
        (SELECT count(*)::int FROM api_key_activity WHERE organization_id = ${id}) AS totals,
        (SELECT count(*)::int FROM webhook_deliveries AS d JOIN events AS e
          ON e.organization_id = d.organization_id AND e.id = d.event_id WHERE d.organization_id = ${id}) AS deliveries`
      assert.deepStrictEqual(sums, rows)
    })
  )
})
