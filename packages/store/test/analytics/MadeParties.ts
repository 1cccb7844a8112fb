import { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo, type Recipients } from "@switchboard/services/analytics/AnalyticsRepo"
import { firstIdAt } from "@switchboard/store/FirstIdAt"
import { DateTime, Effect } from "effect"
import { assert } from "vitest"

/** Makes participants named by their number, at places: countries with and without a region, phone numbers, or none. */
export const makeParticipants = (organization: OrganizationId, participants: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO participants (organization_id, id, name, type, country, region, created_at, updated_at)
      SELECT ${organization}, gen_random_uuid(), n::text, 'contact', (ARRAY['DE', 'FR', NULL, NULL])[1 + n % 4],
        CASE WHEN n % 3 = 0 THEN 'North' END, now(), now()
      FROM generate_series(1, ${participants}) AS n`
    yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
      SELECT ${organization}, CASE name::int % 2 WHEN 0 THEN 'phone' ELSE 'whatsapp' END,
        (ARRAY['+4930123', '+1212555', '+1416555'])[1 + name::int % 3] || 1000 + name::int, id
      FROM participants WHERE organization_id = ${organization} AND name::int % 7 < 4`
  })

let made = 0

/**
 * Stores messages of rows (at, is_inbound, parties), with random ids of their time, and their events. On a slow machine the statement takes
 * longer than the time limit of a statement.
 */
const storeMade = (organization: OrganizationId, rows: (sql: SqlClient.SqlClient) => Fragment) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.zipRight(
        sql`SET LOCAL statement_timeout = 0`,
        sql`WITH made AS MATERIALIZED (
            SELECT at, is_inbound, parties, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
              || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15) AS hex
            FROM (${rows(sql)}) AS r
          ), stored AS (
            INSERT INTO messages (organization_id, id, from_participant_id, to_participant_ids, channel, direction, content,
              addressing, cost, currency, max_retries, tags, categories, is_test, is_internal, is_automated, created_at)
            SELECT ${organization}, hex::uuid, CASE WHEN is_inbound THEN parties[1] ELSE gen_random_uuid() END,
              CASE WHEN is_inbound THEN ARRAY[gen_random_uuid()] ELSE parties END, 'email',
              CASE WHEN is_inbound THEN 'inbound' ELSE 'outbound' END, '{}', '{}', '0', 'EUR', 8, '{}', '{}', false, false,
              false, at
            FROM made RETURNING id, direction, created_at, from_participant_id || to_participant_ids AS parties
          ), created AS (
            INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
            SELECT ${organization}, id, CASE direction WHEN 'inbound' THEN 'message.received' ELSE 'message.created' END, id,
              '{}', created_at FROM stored
          )
          INSERT INTO message_participants (organization_id, participant_id, message_id)
          SELECT DISTINCT ${organization}::uuid, p, id FROM stored CROSS JOIN unnest(parties) AS p`
      )
    )
  )

/**
 * Makes messages at random times of a range: one in five is inbound, the others have up to three recipients. Participants
 * have very different numbers of messages, or, with `skew` 1, about the same.
 */
export const makeParties = (organization: OrganizationId, { end, start }: DateRange, messages: number, skew = 3) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.zipRight(
        sql`SELECT setseed(${(++made % 997) / 997})`,
        storeMade(
          organization,
          () => sql`SELECT random() < 0.2 AS is_inbound, date_trunc('milliseconds', ${DateTime.toDateUtc(start)}::timestamptz
                + random() * (${DateTime.toDateUtc(end)}::timestamptz - ${DateTime.toDateUtc(start)}::timestamptz)) AS at,
              ARRAY(SELECT DISTINCT ids[1 + floor(cardinality(ids) * random() ^ ${skew}::float8)]
                FROM generate_series(1, 1 + n % 3)) AS parties
            FROM generate_series(1, ${messages}) AS n, (
              SELECT array_agg(id ORDER BY name::int) AS ids FROM participants WHERE organization_id = ${organization}
            ) AS people`
        )
      )
    )
  )

/** Deletes about a fifth of the messages. */
export const changeParties = (organization: OrganizationId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`WITH deleted AS (
        DELETE FROM messages WHERE organization_id = ${organization} AND get_byte(uuid_send(id), 15) < 50 RETURNING *
      ), facts AS (
        INSERT INTO deleted_messages (organization_id, id, channel, direction, cost, created_at, from_participant_id,
          to_participant_ids)
        SELECT organization_id, id, channel, direction, cost, created_at, from_participant_id, to_participant_ids FROM deleted
      ), removed AS (
        DELETE FROM message_participants AS p USING deleted AS d
        WHERE p.organization_id = ${organization} AND p.message_id = d.id
      ) INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
        SELECT organization_id, gen_random_uuid(), 'message.deleted', id, '{}', now() FROM deleted`
  )

const parties = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { end, start }: DateRange,
  table = "messages"
) =>
  sql`SELECT m.created_at, m.direction, unnest(CASE m.direction WHEN 'inbound'
      THEN ARRAY[m.from_participant_id] ELSE m.to_participant_ids END) AS id FROM ${sql(table)} AS m
    WHERE m.organization_id = ${organization} AND m.id >= ${firstIdAt(start)} AND m.id < ${firstIdAt(end)}`

/** The expected numbers of messages, most first. */
export const recountTop = (organization: OrganizationId, range: DateRange, limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ participantId: string; name: string; messageCount: number; lastMessageAt: Date }>`
      SELECT t.*, p.name FROM (
        SELECT id AS "participantId", count(*)::float8 AS "messageCount", max(created_at) AS "lastMessageAt"
        FROM (${parties(sql, organization, range)}) AS p GROUP BY id ORDER BY 2 DESC, 1 DESC LIMIT ${limit}
      ) AS t JOIN participants AS p ON p.organization_id = ${organization} AND p.id = "participantId" ORDER BY 2 DESC, 1 DESC`
  )

/** The expected recipients by place, including those of deleted messages. */
const recountRecipients = (organization: OrganizationId, range: DateRange) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Recipients>`SELECT coalesce(p.country, (
          SELECT CASE left(address, 5) WHEN '+4930' THEN 'DE' WHEN '+1212' THEN 'US' WHEN '+1416' THEN 'CA' END
          FROM participant_addresses WHERE organization_id = ${organization} AND participant_id = r.id
            AND kind IN ('phone', 'whatsapp') ORDER BY kind, address LIMIT 1
        )) AS country, p.region, count(*)::float8 AS count
      FROM (
        ${parties(sql, organization, range)} UNION ALL ${parties(sql, organization, range, "deleted_messages")}
      ) AS r LEFT JOIN participants AS p ON p.organization_id = ${organization} AND p.id = r.id
      WHERE r.direction = 'outbound' GROUP BY 1, 2`
  )

/** Compares the participants with the most messages with a recount. */
export const assertTop = (organization: OrganizationId, of: DateRange) =>
  Effect.gen(function* () {
    const repo = yield* AnalyticsRepo
    assert.deepEqual(
      (yield* repo.topParticipants(organization, of, 10)).map(
        ({ lastMessageAt, messageCount, name, participantId }) => ({
          participantId,
          name,
          messageCount,
          lastMessageAt: DateTime.toDateUtc(lastMessageAt)
        })
      ),
      [...(yield* recountTop(organization, of, 10))]
    )
  })

/** Compares every figure of a range with a recount. */
export const assertParties = (organization: OrganizationId, of: DateRange) =>
  Effect.gen(function* () {
    const repo = yield* AnalyticsRepo
    yield* assertTop(organization, of)
    assert.sameDeepMembers(
      [...(yield* repo.recipients(organization, of))],
      [...(yield* recountRecipients(organization, of))]
    )
  })
