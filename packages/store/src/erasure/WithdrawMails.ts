import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { Erasure } from "@switchboard/services/erasure/ErasureRepo"
import { Duration, Effect } from "effect"
import { failForwardings } from "../email/forwarding/FailForwardings.js"
import { mentionOf } from "./Mentions.js"

const forwardingEntries = /* sql */ `(
  SELECT organization_id, id, COALESCE(lease_until, ready_at) AS due_at FROM forwarding_queue
  UNION ALL SELECT organization_id, id, due_at FROM forwarding_waiting
)`

/** What still is to be read, or to go on: few of all mails, so that these alone are looked into. */
const onTheWay = (isDue = "true") => /* sql */ `(
  SELECT organization_id, id FROM (
    SELECT organization_id, id, COALESCE(lease_until, ready_at) AS due_at FROM inbound_queue
    UNION ALL SELECT organization_id, id, due_at FROM inbound_waiting
    UNION ALL SELECT f.organization_id, f.mail_id, q.due_at FROM ${forwardingEntries} AS q
      JOIN forwardings AS f ON f.organization_id = q.organization_id AND f.id = q.id
  ) AS way WHERE ${isDue}
)`

/** The header of a mail, up to where a header is never longer. For `inbound_mails AS m`. */
const header = `split_part(replace(encode(substring(m.raw FROM 1 FOR 131072), 'escape'), E'\\r', ''), E'\\n\\n', 1)`

/** A mention in the From field, which may be folded. */
const writtenBy = (mention: string) => `(?:^|\n)from:(?:[^\n]|\n[ \t])*${mention}`

interface Withdrawn {
  readonly id: string
  readonly organization_id: string
}

/**
 * Mails by a person that are still to be read or to go on are so no more, as if they had been removed as messages. A
 * worker that reads one just now finds it received already. To be run in a transaction.
 */
export const withdrawMails = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, erasure: Erasure, only: Fragment) {
  const mention = mentionOf(erasure.address)
  const theirs = yield* sql<Withdrawn>`SELECT m.organization_id, m.id FROM inbound_mails AS m
    WHERE (m.organization_id, m.id) IN ${sql.literal(onTheWay())} AND ${only} AND m.raw IS NOT NULL
      AND (m.mail_from ~* ${mention} OR ${sql.literal(header)} ~* ${writtenBy(mention)})
    ORDER BY m.organization_id, m.id FOR UPDATE`
  yield* Effect.forEach(theirs, ({ id, organization_id }) =>
    Effect.all([
      sql`DELETE FROM inbound_queue WHERE organization_id = ${organization_id} AND id = ${id}`,
      sql`DELETE FROM inbound_waiting WHERE organization_id = ${organization_id} AND id = ${id}`,
      sql`UPDATE inbound_mails SET mail_from = '', recipients = '[]', remote_address = '', helo = '', raw = NULL,
          processed_at = COALESCE(processed_at, now()), parse_error = NULL
        WHERE organization_id = ${organization_id} AND id = ${id}`,
      sql`INSERT INTO inbound_messages (organization_id, message_id, rfc_message_id, in_reply_to, refers_to, headers, size)
        VALUES (${organization_id}, ${id}, '', '{}', '{}', '[]', 0) ON CONFLICT DO NOTHING`
    ])
  )
  return theirs.length
})

/**
 * What would go on to a person goes nowhere; where no copy was kept, it is received instead, unless it is just being
 * looked at. To be run in a transaction.
 */
export const stopForwarding = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { address }: Erasure,
  only: Fragment
) {
  const theirs = yield* sql<Withdrawn>`SELECT q.organization_id, q.id FROM ${sql.literal(forwardingEntries)} AS q
      JOIN forwardings AS f ON f.organization_id = q.organization_id AND f.id = q.id
    WHERE lower(f.forward_to) = ${addressKey(address)} AND ${only} ORDER BY q.organization_id, q.id`
  if (theirs.length === 0) return 0
  const stopped = yield* failForwardings(
    sql,
    theirs.map((one) => ({ ...one, error: "The address was erased" }))
  )
  // An entry that moves between the tables at this moment is dropped when it is taken: its forwarding has ended.
  for (const table of ["forwarding_waiting", "forwarding_queue"]) {
    yield* sql`DELETE FROM ${sql.literal(table)} WHERE (organization_id, id) IN (
      SELECT f.organization_id, f.id FROM forwardings AS f WHERE f.id = ANY (${[...stopped]}::uuid[]))`
  }
  return stopped.size
})

/** How many mails that still are to be read or to go on, and are due in this time, name a person or would go on to them. */
export const namedOnTheWay = (
  sql: SqlClient.SqlClient,
  { address }: Erasure,
  only: Fragment,
  within?: Duration.Duration
) => {
  const mention = mentionOf(address)
  const isDue = within && `due_at < now() + make_interval(secs => ${Duration.toSeconds(within)})`
  return Effect.map(
    sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM inbound_mails AS m
      WHERE (m.organization_id, m.id) IN ${sql.literal(onTheWay(isDue))} AND ${only} AND m.raw IS NOT NULL
        AND (m.mail_from ~* ${mention} OR m.recipients::text ~* ${mention} OR encode(m.raw, 'escape') ~* ${mention}
          OR EXISTS (SELECT FROM forwardings AS f WHERE f.organization_id = m.organization_id AND f.mail_id = m.id
            AND f.status = 'waiting' AND lower(f.forward_to) = ${addressKey(address)}))`,
    ([row]) => row?.count ?? 0
  )
}
