import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, type Duration, Effect } from "effect"
import { mailIsDone } from "./EraseBodies.js"
import { bounds, earliest, holdMark, setMark } from "./RetentionMarks.js"

/** Mails of one transaction. */
export const rawBatch = 500

/** The mark stays before the first that is not worked off: there are few of these, and not for long. */
const eraseStatement = /* sql */ `
WITH page AS (
  SELECT m.id, ${mailIsDone("m")} AS is_done, m.raw IS NOT NULL AS has_raw FROM inbound_mails AS m
  WHERE m.organization_id = $1 AND m.id > $2 AND m.id < $3
  ORDER BY m.id LIMIT ${rawBatch}
), erased AS (
  UPDATE inbound_mails AS m SET raw = NULL FROM page AS p
  WHERE m.organization_id = $1 AND m.id = p.id AND p.is_done AND p.has_raw
  RETURNING 1
)
SELECT (SELECT count(*)::int FROM page) AS found, (SELECT count(*)::int FROM erased) AS erased,
  (SELECT max(id::text) FROM page) AS last, (SELECT min(id::text) FROM page WHERE NOT is_done) AS open`

interface Erased {
  readonly found: number
  readonly erased: number
  readonly last: string | null
  readonly open: string | null
}

/** Erases a batch of an organization's old mails, after an id; where the next batch begins. To be run in a transaction. */
export const eraseInboundRaw = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  kept: Duration.Duration,
  after: string | null
) {
  const { end, markable } = bounds(yield* DateTime.now, kept)
  const mark = yield* holdMark(sql, organization, "inbound_raw")
  if (mark === null) return { erased: 0, after: null }
  const begin = after !== null && after > mark ? after : mark
  const [row] = yield* sql.unsafe<Erased>(eraseStatement, [organization, begin, end])
  const { erased = 0, found = 0, last = null, open = null } = row ?? {}
  // Nothing is marked as done that comes after one which is not.
  const isUnbroken = begin === mark && open === null
  const doneTo = last === null || found < rawBatch ? end : last
  if (isUnbroken) yield* setMark(sql, organization, "inbound_raw", earliest(doneTo, markable))
  return { erased, after: found < rawBatch ? null : last }
})
