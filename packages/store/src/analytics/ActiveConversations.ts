import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { splitAtDays, splitAtQuarterHours } from "./SplitRange.js"

/** For ranges without a complete day: $2 and $3 are the ids of the range. */
const countMessages = /* sql */ `
SELECT count(DISTINCT conversation_id)::float8 AS count FROM messages
WHERE organization_id = $1 AND id >= $2::uuid AND id < $3::uuid AND conversation_id IS NOT NULL`

/** OFFSET 0 finds the gaps of each quarter hour by index. */
const gaps = (where: string) =>
  `(SELECT conversations FROM conversation_gaps WHERE organization_id = $1 AND ${where} OFFSET 0)`

const dayOf = (at: string) => `(${at}::timestamptz AT TIME ZONE 'UTC')::date`

const quartersBetween = (first: string, end: string) =>
  `generate_series(${first}::timestamptz, ${end}::timestamptz - interval '15 minutes', '15 minutes') AS q(quarter)`

/**
 * Counts each conversation at one message in the complete quarter hours of the range, $4 to $5: its first one in the
 * complete days ($6 to $7), or else its last one before them, or its first one after them. Conversations with messages
 * in the incomplete quarter hours ($8), or with messages that are not merged yet, are counted by their messages instead
 * (`changed`).
 */
const countGaps = /* sql */ `
WITH changed AS MATERIALIZED (
  SELECT m.conversation_id FROM json_to_recordset($8::json) AS g(first_id uuid, end_id uuid)
    CROSS JOIN LATERAL (
      SELECT conversation_id FROM messages
      WHERE organization_id = $1 AND id >= g.first_id AND id < g.end_id AND conversation_id IS NOT NULL OFFSET 0
    ) AS m
  UNION SELECT conversation_id FROM conversation_changes
  WHERE organization_id = $1 AND quarter >= $4::timestamptz AND quarter < $5::timestamptz
)
SELECT coalesce(sum(conversations), 0)::float8 AS count FROM (
  SELECT u.conversations FROM conversation_days AS d
    CROSS JOIN LATERAL unnest(d.last_days, d.conversations) AS u(last_day, conversations)
  WHERE d.organization_id = $1 AND d.day >= ${dayOf("$6")} AND d.day < ${dayOf("$7")} AND u.last_day < ${dayOf("$6")}
  UNION ALL SELECT conversations FROM ${quartersBetween("$4", "$6")}
    CROSS JOIN LATERAL ${gaps("last_at = q.quarter AND next_at >= $7::timestamptz")} AS before
  UNION ALL SELECT conversations FROM ${quartersBetween("$7", "$5")}
    CROSS JOIN LATERAL ${gaps("next_at = q.quarter AND last_at < $4::timestamptz")} AS after
  UNION ALL SELECT (EXISTS (
      SELECT FROM messages AS m WHERE m.organization_id = $1 AND m.conversation_id = c.conversation_id
        AND m.id >= $2::uuid AND m.id < $3::uuid OFFSET 0
    ))::int - (EXISTS (
      SELECT FROM conversation_quarters AS q WHERE q.organization_id = $1 AND q.conversation_id = c.conversation_id
        AND q.quarter >= $4::timestamptz AND q.quarter < $5::timestamptz AND q.messages > 0 OFFSET 0
    ))::int
  FROM changed AS c
) AS counted`

/** The number of conversations with a message in the range. */
export const activeConversations = (sql: SqlClient.SqlClient, organization: OrganizationId, range: DateRange) => {
  const { complete: days } = splitAtDays(range)
  const { complete: quarters, edges } = splitAtQuarterHours(range)
  const ids = ({ end, start }: DateRange) => [firstIdAt(start), firstIdAt(end)]
  const times = ({ end, start }: DateRange) => [DateTime.formatIso(start), DateTime.formatIso(end)]
  const own = [organization, ...ids(range)]
  const isShort = !DateTime.lessThan(days.start, days.end)
  const counted = isShort
    ? sql.unsafe<{ count: number }>(countMessages, own)
    : sql.unsafe<{ count: number }>(countGaps, [
        ...own,
        ...times(quarters),
        ...times(days),
        JSON.stringify(edges.map(ids).map(([first_id, end_id]) => ({ first_id, end_id })))
      ])
  return Effect.map(counted, ([row]) => row?.count ?? 0)
}
