import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { IncompatibleSchemaError } from "@switchboard/store/migrations/ApplyMigrations"
import { migrate, schemaState } from "@switchboard/store/migrations/Migrations"
import { Effect } from "effect"
import { OwnDatabase } from "../TestDatabase.js"
import { restore020 } from "./Fixtures.js"

/** SQL: a text without comments, and with spaces alone between its words. */
const words = (text: string) => `regexp_replace(regexp_replace(${text}, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g')`

/**
 * SQL: a line for each object of the schema, without the order of columns and the indexes of partitions, which have other
 * names. A database that was upgraded keeps indexes of its first partitions.
 */
const schemaLines = /* sql */ `
WITH tables AS (
  SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
)
SELECT line FROM (
  SELECT concat_ws(' ', relkind, relname, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid),
    (SELECT string_agg(option, ' ' ORDER BY option) FROM unnest(reloptions) AS option),
    (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = tables.oid)) FROM tables
  UNION ALL SELECT concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
    attgenerated, attstorage, pg_get_expr(adbin, adrelid))
  FROM tables JOIN pg_attribute ON attrelid = tables.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped
  UNION ALL SELECT concat_ws(' ', relname, conname, pg_get_constraintdef(c.oid))
  FROM tables JOIN pg_constraint AS c ON conrelid = tables.oid WHERE NOT relispartition AND contype <> 'n'
  UNION ALL SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
  FROM tables JOIN pg_index ON indrelid = tables.oid WHERE NOT relispartition
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM tables JOIN pg_trigger AS t ON tgrelid = tables.oid WHERE tgparentid = 0
    AND NOT tgisinternal
  UNION ALL SELECT ${words("pg_get_functiondef(p.oid)")} FROM pg_proc AS p
  WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
  UNION ALL SELECT concat_ws(' ', relkind, relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind NOT IN ('r', 'p', 'i', 'I')
  UNION ALL SELECT concat_ws(' ', 'extension', extname) FROM pg_extension
) AS lines (line) ORDER BY line COLLATE "C"`

const readSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql.unsafe<{ line: string }>(schemaLines)).map(({ line }) => line)
})

/** An id that ends with a digit. */
const id = (digit: number) => `'019acd4a-ecdc-7000-8000-00000000000${digit}'`

/** Rows as releases up to 0.2.0 stored them: a thread, one whose messages were deleted, and a delivery with an id of its own. */
const rowsOf020 = `
INSERT INTO organizations (id, name, slug, plan, created_at, updated_at) VALUES (${id(0)}, 'A', 'a', 'free', now(), now());
INSERT INTO organization_usage (organization_id, month) VALUES (${id(0)}, now());
INSERT INTO participants (organization_id, id, name, type, created_at, updated_at)
SELECT ${id(0)}, one::uuid, 'A', 'contact', now(), now() FROM unnest(ARRAY[${id(1)}, ${id(2)}]) AS one;
INSERT INTO conversations (organization_id, id, channels, status, priority, urgency, complexity, tags, categories, is_test,
  is_internal, is_private, started_at, created_at, updated_at)
VALUES (${id(0)}, ${id(3)}, '{email}', 'resolved', 2, 'low', 'simple', '{}', '{}', false, false, false, now(), now(), now());
INSERT INTO threads (organization_id, id, conversation_id, subject, created_at, updated_at)
VALUES (${id(0)}, ${id(4)}, ${id(3)}, 'Ticket', now(), now()), (${id(0)}, ${id(5)}, ${id(3)}, 'Empty', now(), now());
INSERT INTO messages (organization_id, id, thread_id, from_participant_id, to_participant_ids, channel, direction, content,
  addressing, cost, currency, max_retries, tags, categories, is_test, is_internal, is_automated, created_at)
VALUES (${id(0)}, ${id(6)}, ${id(4)}, ${id(1)}, ARRAY[${id(2)}]::uuid[], 'email', 'inbound', '{"subject": "Hello"}', '{}', '0',
  'USD', 0, '{vip}', '{}', false, false, false, now());
INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, retry_count, max_retries,
  delivery_attempts, updated_at) VALUES (${id(0)}, ${id(6)}, 'processing', '[]', '[]', 0, 0, 0, now());
INSERT INTO message_participants SELECT ${id(0)}, one::uuid, ${id(6)} FROM unnest(ARRAY[${id(1)}, ${id(2)}]) AS one;
INSERT INTO webhook_endpoints (organization_id, id, name, slug, url, events, filters, rate_limit, priority, status, test_mode,
  secret, created_at, updated_at)
VALUES (${id(0)}, ${id(7)}, 'A', 'a', 'https://example.com', '{*}', '{}', '{}', 1, 'active', false, 'a', now(), now());
INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
VALUES (${id(0)}, ${id(8)}, 'message.received', ${id(6)}, '{}', now());
UPDATE webhook_deliveries SET id = ${id(9)};
UPDATE webhook_queue SET id = ${id(9)};
INSERT INTO webhook_bodies (organization_id, delivery_id, body) VALUES (${id(0)}, ${id(9)}, '{}');
INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, at, duration_ms)
VALUES (${id(0)}, ${id(9)}, 1, 'scheduled', now(), 1);
INSERT INTO latency_histograms (organization_id, span, starts_at, buckets, messages)
VALUES (${id(0)}, 'quarter', quarter_of(now()), '{10, 70}', '{1, 2}');
INSERT INTO voice_agents (organization_id, id, name, transport, webhook_url, webhook_events, webhook_secret, is_active,
  created_at, updated_at)
VALUES (${id(0)}, ${id(4)}, 'Desk', 'pstn', 'https://example.com/calls', '{call.ended}', 'b', true, now(), now());
INSERT INTO voice_notice_queue (organization_id, agent_id, id, event_id, retries_used, ready_at)
VALUES (${id(0)}, ${id(4)}, ${id(5)}, ${id(8)}, 2, now());
ALTER TABLE message_latencies DISABLE TRIGGER USER;
INSERT INTO message_latencies VALUES (${id(0)}, quarter_of(now()), 10, 4);
INSERT INTO sender_days VALUES (${id(0)}, ${id(1)}, '2026-01-01', 2, 1, 0);
INSERT INTO sender_changes VALUES (${id(0)}, ${id(1)}, '2026-01-01', 3, -1, 1);
INSERT INTO message_totals VALUES (${id(0)}, 'sent', 5);
INSERT INTO message_total_changes VALUES (${id(0)}, 'sent', -1);
INSERT INTO participant_months VALUES (${id(0)}, ${id(2)}, '2026-01-01', 5, '{3, 31}', '{1, 4}');
INSERT INTO place_periods
SELECT ${id(0)}, span, '2026-01-01', 'DE', '', 5 FROM unnest(ARRAY['quarter', 'hour', 'day', 'month']) AS span`

layer(OwnDatabase, { excludeTestServices: true })("Upgrades", (it) => {
  it.effect("from 0.2.0 make the schema that an empty database gets", () =>
    Effect.gen(function* () {
      const baseline = yield* readSchema
      assert.isAbove(baseline.length, 1000)
      yield* restore020
      assert.notDeepEqual(yield* readSchema, baseline)
      assert.deepStrictEqual(yield* migrate, [
        "0.3.0",
        "text messages",
        "voice",
        "uploads",
        "submission",
        "clicks",
        "MTA-STS policies",
        "mail reports",
        "users",
        "audit log",
        "draft replies",
        "pauses of domains",
        "OpenID Connect",
        "second factors"
      ])
      assert.deepStrictEqual(yield* readSchema, baseline)
      assert.deepStrictEqual(yield* schemaState, { pending: [], refusal: null, isEmpty: false })
      assert.deepStrictEqual(yield* migrate, [])
    })
  )

  it.effect("from 0.2.0 convert its rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* restore020
      yield* sql.unsafe(rowsOf020)
      yield* migrate
      const read = (statement: string) => Effect.map(sql.unsafe(statement), ([row]) => row)
      assert.deepStrictEqual(yield* read("SELECT array_agg(subject || ' ' || status) AS threads FROM threads"), {
        threads: ["Ticket resolved"]
      })
      assert.deepStrictEqual(
        yield* read("SELECT active_threads AS active, resolved_threads AS resolved FROM organization_usage"),
        { active: 0, resolved: 1 }
      )
      assert.deepStrictEqual(
        yield* read(`SELECT count(*)::int AS named, count(DISTINCT participant_id)::int AS participants
          FROM message_participants JOIN messages AS m ON m.id = message_id WHERE m.thread_id = message_participants.thread_id`),
        { named: 2, participants: 2 }
      )
      assert.deepStrictEqual(yield* read("SELECT subject_line, listed_status FROM messages, message_states"), {
        subject_line: "Hello",
        listed_status: "open"
      })
      assert.deepStrictEqual(
        yield* read(`SELECT count(*)::int AS number FROM webhook_deliveries AS d
          JOIN webhook_attempts AS a ON a.delivery_id = d.id JOIN webhook_bodies AS b ON b.delivery_id = d.id
          JOIN webhook_queue AS q ON q.id = d.id WHERE d.id = webhook_delivery_id(d.event_id, d.endpoint_id)`),
        { number: 1 }
      )
      assert.deepStrictEqual(
        yield* read("SELECT accepted, received, latency_buckets, latency_messages FROM rollup_messages"),
        { accepted: 0, received: 1, latency_buckets: [10, 70], latency_messages: [5, 2] }
      )
      assert.deepStrictEqual(yield* read("SELECT day::text, sent, bounced, complained FROM rollup_senders"), {
        day: "2026-01-01",
        sent: 5,
        bounced: 0,
        complained: 1
      })
      assert.deepStrictEqual(yield* read("SELECT kind, messages::int FROM rollup_totals"), {
        kind: "sent",
        messages: 4
      })
      assert.deepStrictEqual(
        yield* sql`SELECT month::text, messages, days, day_messages FROM rollup_participants ORDER BY month`,
        [
          { month: "2025-11-01", messages: 1, days: [29], day_messages: [1] },
          { month: "2026-01-01", messages: 5, days: [3, 31], day_messages: [1, 4] }
        ]
      )
      assert.deepStrictEqual(yield* sql`SELECT span, country, recipients::int FROM rollup_places ORDER BY span`, [
        { span: "day", country: "DE", recipients: 5 },
        { span: "quarter", country: "DE", recipients: 5 }
      ])
      assert.deepStrictEqual(
        yield* read(`SELECT w.type, w.url, w.events, w.status, s.value::text AS secret, d.status AS delivery, d.attempts,
            q.id = d.id AS queued
          FROM webhook_endpoints AS w JOIN secrets AS s ON s.owner = w.id::text JOIN webhook_endpoint_health AS h ON h.endpoint_id = w.id
            JOIN webhook_deliveries AS d ON d.endpoint_id = w.id JOIN webhook_queue AS q ON q.endpoint_id = w.id
          WHERE w.id = ${id(4)}`),
        {
          ...{ type: "voice_agent", url: "https://example.com/calls", events: ["call.ended"], status: "active" },
          ...{ secret: "\\x62", delivery: "pending", attempts: 2, queued: true }
        }
      )
      assert.deepStrictEqual(yield* read("SELECT participants::int, conversations::int FROM organization_usage"), {
        participants: 2,
        conversations: 1
      })
      assert.deepStrictEqual(yield* read("SELECT last::int, folded::int FROM event_positions"), { last: 1, folded: 1 })
    })
  )

  it.effect("from releases before 0.2.0 are refused", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* restore020
      yield* sql`DELETE FROM switchboard_migrations WHERE id > 75`
      const before = yield* readSchema
      const error = yield* Effect.flip(migrate)
      assert.instanceOf(error, IncompatibleSchemaError)
      assert.strictEqual(error.message, "Upgrade to 0.2.0 first: the database has migration 75, which is older than 76")
      assert.strictEqual((yield* schemaState).refusal, error.message)
      assert.deepStrictEqual(yield* readSchema, before)
    })
  )
})
