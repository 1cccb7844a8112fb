import { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { firstIdAt } from "@switchboard/store/FirstIdAt"
import { DateTime, Effect } from "effect"
import { assert } from "vitest"

let made = 0

/**
 * Makes messages of conversations that begin at random times of a range, some of them at midnight UTC. The time between
 * two messages of a conversation is from minutes to months. A fifth of the messages have no conversation.
 */
export const makeConversations = (organization: OrganizationId, { end, start }: DateRange, conversations: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.zipRight(
        sql`SELECT setseed(${(++made % 997) / 997})`,
        sql`WITH begun AS MATERIALIZED (
            SELECT gen_random_uuid() AS conversation, CASE n % 5 WHEN 0 THEN date_trunc('day', at, 'UTC') ELSE at END AS at
            FROM (
              SELECT n, date_trunc('milliseconds', ${DateTime.toDateUtc(start)}::timestamptz
                + random() * (${DateTime.toDateUtc(end)}::timestamptz - ${DateTime.toDateUtc(start)}::timestamptz)) AS at
              FROM generate_series(1, ${conversations}) AS n
            ) AS t
          ), made AS MATERIALIZED (
            SELECT conversation, date_trunc('milliseconds', at + CASE k WHEN 0 THEN interval '0'
              ELSE exp(random() * 10) * interval '5 minutes' END) AS at
            FROM begun CROSS JOIN generate_series(0, 5) AS k
          )
          INSERT INTO messages (organization_id, id, conversation_id, from_participant_id, to_participant_ids, channel,
            direction, content, addressing, cost, currency, max_retries, tags, categories, is_test, is_internal,
            is_automated, created_at)
          SELECT ${organization}, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
              || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
            CASE WHEN random() < 0.8 THEN conversation END, gen_random_uuid(), ARRAY[gen_random_uuid()], 'email',
            'outbound', '{}', '{}', '0', 'EUR', 8, '{}', '{}', false, false, false, at
          FROM made WHERE at < ${DateTime.toDateUtc(end)}`
      )
    )
  )

/** Deletes about a fifth of the messages, and moves others to another conversation or to none. */
export const changeConversations = (organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(
      sql`DELETE FROM messages WHERE organization_id = ${organization} AND get_byte(uuid_send(id), 15) < 50`,
      sql`WITH chosen AS (
          SELECT id FROM messages WHERE organization_id = ${organization} AND get_byte(uuid_send(id), 15) > 230
          ORDER BY id FOR UPDATE
        ), target AS (
          SELECT conversation_id FROM messages WHERE organization_id = ${organization} AND conversation_id IS NOT NULL
          ORDER BY id LIMIT 1
        )
        UPDATE messages AS m SET conversation_id = CASE WHEN get_byte(uuid_send(m.id), 15) % 2 = 0 THEN t.conversation_id END
        FROM chosen AS c, target AS t WHERE m.organization_id = ${organization} AND m.id = c.id`
    )
  )

/** The expected number of active conversations. */
const recountConversations = (organization: OrganizationId, { end, start }: DateRange) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ count: number }>`SELECT count(DISTINCT conversation_id)::float8 AS count FROM messages
        WHERE organization_id = ${organization} AND id >= ${firstIdAt(start)} AND id < ${firstIdAt(end)}`,
      ([row]) => row?.count ?? 0
    )
  )

/** Compares the number of a range with a recount. */
export const assertConversations = (organization: OrganizationId, of: DateRange) =>
  Effect.gen(function* () {
    const counted = yield* (yield* AnalyticsRepo).activeConversations(organization, of)
    assert.strictEqual(counted, yield* recountConversations(organization, of), JSON.stringify(of))
  })
