import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Duration, Effect, Order } from "effect"
import { firstIdAt } from "../FirstIdAt.js"

/** What is gone through once, in the order of ids. */
export type Kind = "bodies" | "inbound_raw"

/** Before all ids. */
export const firstId = "00000000-0000-0000-0000-000000000000"

/** A transaction may commit so much after it made its ids: what is younger is looked at again. */
const late = Duration.minutes(10)

/** The first of two ids. */
export const earliest: (one: string, other: string) => string = Order.min(Order.string)

/** The last id that is old enough, and how far a mark may be set. */
export const bounds = (now: DateTime.Utc, kept: Duration.Duration) => ({
  end: firstIdAt(DateTime.subtractDuration(now, kept)),
  markable: firstIdAt(DateTime.subtractDuration(now, Duration.max(kept, late)))
})

/**
 * An organization's mark, held until the transaction ends; null while another worker holds it. The first to come makes
 * it.
 */
export const holdMark = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  kind: Kind
) {
  yield* sql`INSERT INTO retention_marks (organization_id, kind, done_to) VALUES (${organization}, ${kind}, ${firstId})
    ON CONFLICT DO NOTHING`
  const [row] = yield* sql<{ done_to: string }>`SELECT done_to FROM retention_marks
    WHERE organization_id = ${organization} AND kind = ${kind} FOR UPDATE SKIP LOCKED`
  return row?.done_to ?? null
})

/** Sets the mark which is held: never back. */
export const setMark = (sql: SqlClient.SqlClient, organization: OrganizationId, kind: Kind, doneTo: string) =>
  sql`UPDATE retention_marks SET done_to = ${doneTo}
    WHERE organization_id = ${organization} AND kind = ${kind} AND done_to < ${doneTo}`
