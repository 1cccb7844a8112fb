import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { mailboxDomain } from "@switchboard/domain/email/EmailAddress"
import type { MessageParts } from "@switchboard/services/messages/delivery/DeliveryQueue"
import type { PausedDomain } from "@switchboard/services/queues/PauseRepo"
import type { EntryKey } from "@switchboard/services/queues/WorkQueue"
import { Effect } from "effect"
import { channelQueues } from "../queues/QueueTables.js"

const { columns, name } = channelQueues.email

/** A leased message. */
interface Found {
  readonly entry: { readonly organization_id: EntryKey["organizationId"]; readonly id: string }
  readonly row: MessageParts
}

/**
 * SQL: the time of entries that wait for the end of a pause. No promotion reaches it. Not infinity: the time until it is
 * computed.
 */
const endOfPause = "'9999-12-31'::timestamptz"

/**
 * Copies entries to the waiting table if their domain is paused, and returns their ids. The lock waits for the end of a
 * resumption in progress: no entry waits after it. Each entry is found by primary key with any query plan.
 */
const holdStatement = /* sql */ `
WITH wanted AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, domain_id uuid)
), paused AS MATERIALIZED (
  SELECT d.organization_id, d.id FROM email_domains AS d
  WHERE (d.organization_id, d.id) IN (SELECT organization_id, domain_id FROM wanted) AND d.paused_at IS NOT NULL
  ORDER BY d.organization_id, d.id FOR SHARE OF d
)
INSERT INTO ${name}_waiting (organization_id, id, ${columns.join(", ")}, due_at, paused_domain_id)
SELECT q.organization_id, q.id, ${columns.map((column) => `q.${column}`).join(", ")}, ${endOfPause}, p.id
FROM wanted AS w JOIN paused AS p ON p.organization_id = w.organization_id AND p.id = w.domain_id
  CROSS JOIN LATERAL (
    SELECT * FROM ${name}_queue AS q WHERE q.organization_id = w.organization_id AND q.id = w.id OFFSET 0
  ) AS q
RETURNING id`

const none: ReadonlySet<string> = new Set()

/**
 * Makes leased mail wait whose domain is paused, and returns the ids of its entries, which are then removed from the
 * queue. Requires a transaction. No statement runs while no domain is paused.
 */
export const holdPaused = (
  sql: SqlClient.SqlClient,
  found: ReadonlyArray<Found>,
  pausedDomains: ReadonlyArray<PausedDomain>
): Effect.Effect<ReadonlySet<string>, SqlError> => {
  if (pausedDomains.length === 0) return Effect.succeed(none)
  const wanted = found.flatMap(({ entry: { id, organization_id }, row }) => {
    if (row.channel !== "email") return []
    const domain = mailboxDomain(row.content.from)
    const paused = pausedDomains.find((one) => one.domain === domain && one.organizationId === organization_id)
    return paused === undefined ? [] : [{ organization_id, id, domain_id: paused.id }]
  })
  return wanted.length === 0
    ? Effect.succeed(none)
    : Effect.map(
        sql.unsafe<{ readonly id: string }>(holdStatement, [JSON.stringify(wanted)]),
        (rows) => new Set(rows.map(({ id }) => id))
      )
}
