import { SqlClient } from "@effect/sql"
import { blockKeys } from "@switchboard/domain/email/blocks/Suppression"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ForwardingId, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  ForwardingQueue,
  type SettledForwarding,
  type TakenForwarding
} from "@switchboard/services/email/forwarding/ForwardingQueue"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { orUnavailable } from "../../database/Unavailable.js"
import { type LeaseRow, leaseHistory } from "../../queues/LeaseEntries.js"
import { NotificationsLive, notify, queueTables } from "../../queues/QueueTables.js"
import { type Hold, workQueueSql } from "../../queues/WorkQueueSql.js"
import { countSuppressions, findSuppressions } from "../blocks/SuppressRecipients.js"

/** A forwarding that failed, with the reason. */
interface FailedForwarding {
  readonly organization_id: string
  readonly id: string
  readonly error: string
}

/**
 * Stores failed forwardings. A mail without a local copy is processed again, and delivered locally if no forwarding
 * succeeded. A worker that is processing the mail has already read the decisions: the failure is then not stored, and
 * the caller retries it. The lock of the mail's row detects this.
 */
const failStatement = /* sql */ `
WITH failing AS MATERIALIZED (
  SELECT f.organization_id, f.id, f.mail_id, f.keep_copy, g.error
  FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, error text)
    JOIN forwardings AS f ON f.organization_id = g.organization_id AND f.id = g.id
), mails AS MATERIALIZED (
  SELECT m.organization_id, m.id, m.processed_at, m.raw IS NULL AS is_erased FROM inbound_mails AS m
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, mail_id FROM failing WHERE NOT keep_copy)
  ORDER BY m.organization_id, m.id FOR UPDATE
), due AS MATERIALIZED (
  SELECT g.* FROM failing AS g LEFT JOIN mails AS m ON m.organization_id = g.organization_id AND m.id = g.mail_id
  WHERE g.keep_copy OR m.id IS NULL OR m.is_erased OR m.processed_at IS NOT NULL
), failed AS (
  UPDATE forwardings AS f SET status = 'failed', error = d.error, settled_at = now()
  FROM due AS d WHERE f.organization_id = d.organization_id AND f.id = d.id AND f.status IN ('waiting', 'forwarded')
  RETURNING f.organization_id, f.mail_id, f.keep_copy
), reopened AS (
  UPDATE inbound_mails AS m SET processed_at = NULL
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, mail_id FROM failed WHERE NOT keep_copy)
    AND m.raw IS NOT NULL RETURNING m.organization_id, m.id
), queued AS (
  INSERT INTO inbound_queue (organization_id, id, ready_at) SELECT organization_id, id, now() FROM reopened
  ON CONFLICT DO NOTHING RETURNING 1
), notified AS (
  SELECT ${notify(queueTables.inbound)} WHERE EXISTS (SELECT 1 FROM queued)
)
SELECT id, (SELECT count(*) FROM notified) AS notified FROM due
UNION ALL
SELECT g.id, 0 FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
WHERE NOT EXISTS (SELECT FROM forwardings AS f WHERE f.organization_id = g.organization_id AND f.id = g.id)`

/** Stores failures. Returns the settled ids: stored now, or without a forwarding. */
export const failForwardings = (sql: SqlClient.SqlClient, failures: ReadonlyArray<FailedForwarding>) =>
  Effect.map(
    sql.unsafe<{ readonly id: string }>(failStatement, [JSON.stringify(failures)]),
    (rows): ReadonlySet<string> => new Set(rows.map(({ id }) => id))
  )

/** The delay before a failure is stored again, while a worker processes its mail. */
const busyMailDelay = Duration.seconds(1)

const forwardedStatement = /* sql */ `
UPDATE forwardings AS f SET status = 'forwarded', settled_at = now()
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
WHERE f.organization_id = g.organization_id AND f.id = g.id AND f.status = 'waiting'`

/** Stores the outcomes of forwardings that the worker still holds. Requires a transaction. */
const settleForwardings = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  ended: ReadonlyArray<SettledForwarding>,
  hold: Hold
) {
  const keyOf = ({ id, organizationId }: TakenForwarding) => ({ organization_id: organizationId, id })
  const held = yield* hold(ended.map(({ taken }) => taken))
  const own = ended.filter(({ taken }) => held.has(taken.id))
  const forwarded = own.flatMap(({ outcome, taken }) => (outcome._tag === "Forwarded" ? [keyOf(taken)] : []))
  const failures = own.flatMap(({ outcome, taken }) =>
    outcome._tag === "Failed" || outcome._tag === "Blocked" ? [{ ...keyOf(taken), error: outcome.error }] : []
  )
  const stored = failures.length === 0 ? new Set<string>() : yield* failForwardings(sql, failures)
  const hits = own.flatMap(({ outcome, taken: { forwardTo: email, id, mailId: messageId, organizationId } }) =>
    outcome._tag === "Blocked" && stored.has(id)
      ? [{ organizationId, blockId: outcome.blockId, category: undefined, email, messageId }]
      : []
  )
  yield* countSuppressions(sql, hits)
  if (forwarded.length > 0) yield* sql.unsafe(forwardedStatement, [JSON.stringify(forwarded)])
  const now = yield* DateTime.now
  return own.map(({ outcome, taken: { id, organizationId } }) => {
    const isOver = outcome._tag === "Forwarded" || stored.has(id)
    const wait = outcome._tag === "Later" ? outcome.wait : busyMailDelay
    return { organizationId, id, retryAt: isOver ? null : DateTime.addDuration(now, wait) }
  })
})

/** A LATERAL join: one primary key lookup per entry with any query plan. */
const readStatement = /* sql */ `
SELECT f.id, f.organization_id AS "organizationId", f.mail_id AS "mailId", f.forward_to AS "forwardTo",
  f.via_domain AS "viaDomain", f.recipients, COALESCE(f.rule_id, f.domain_id) AS by, f.created_at AS "createdAt",
  COALESCE((SELECT r.rewrite_from FROM forwarding_rules AS r
    WHERE r.organization_id = f.organization_id AND r.id = f.rule_id), false) AS "rewriteFrom"
FROM json_to_recordset($1::json) AS t(organization_id uuid, id uuid)
  CROSS JOIN LATERAL (
    SELECT * FROM forwardings AS f
    WHERE f.organization_id = t.organization_id AND f.id = t.id AND f.status = 'waiting' OFFSET 0
  ) AS f`

const decodeTaken = Schema.decodeUnknownSync(
  Schema.Struct({
    id: ForwardingId,
    organizationId: OrganizationId,
    mailId: MessageId,
    forwardTo: Schema.typeSchema(EmailAddress),
    viaDomain: Schema.String,
    recipients: Schema.Array(Schema.String),
    rewriteFrom: Schema.Boolean,
    by: Schema.Union(ForwardingRuleId, EmailDomainId),
    createdAt: Schema.DateTimeUtcFromDate
  })
)

const decodeMail = Schema.decodeUnknownSync(
  Schema.Struct({
    mailFrom: Schema.String,
    raw: Schema.Uint8ArrayFromSelf,
    remoteAddress: Schema.String,
    helo: Schema.String,
    tls: Schema.Boolean,
    receivedAt: Schema.DateTimeUtcFromDate
  })
)

/** The queue of forwardings. Entries have the ids of forwardings. */
export const ForwardingQueueSql = Layer.effect(
  ForwardingQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    /** Reads the block list before every attempt. Forwarded mail has no categories: only blocks on all mail apply. */
    const withBlocks = Effect.fnUntraced(function* (entries: ReadonlyArray<Omit<TakenForwarding, "block">>) {
      const blocks = yield* findSuppressions(
        sql,
        entries.map(({ forwardTo, organizationId }) => ({ organizationId, categories: [], keys: blockKeys(forwardTo) }))
      )
      return entries.map((one, place): TakenForwarding => ({ ...one, block: blocks[place]?.[0] ?? null }))
    })

    const read = Effect.fnUntraced(function* (leases: ReadonlyArray<LeaseRow>) {
      const keys = leases.map(({ id, organization_id }) => ({ organization_id, id }))
      const rows = yield* sql.unsafe(readStatement, [JSON.stringify(keys)])
      const found = new Map(rows.map((row) => decodeTaken(row)).map((one): [string, typeof one] => [one.id, one]))
      const items = leases.flatMap((entry) => {
        const one = found.get(entry.id)
        return one === undefined ? [] : [{ ...one, ...leaseHistory(entry) }]
      })
      return { items: yield* withBlocks(items), gone: leases.filter(({ id }) => !found.has(id)) }
    })

    const queue = yield* workQueueSql(queueTables.forwarding, {
      read,
      settle: (ended: ReadonlyArray<SettledForwarding>, hold) => settleForwardings(sql, ended, hold)
    })

    return {
      ...queue,
      mail: (organization, mail) =>
        sql`SELECT mail_from AS "mailFrom", raw, remote_address AS "remoteAddress", helo, tls, received_at AS "receivedAt"
          FROM inbound_mails
          WHERE organization_id = ${organization} AND id = ${mail} AND raw IS NOT NULL`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), (found) => decodeMail(found))),
          orUnavailable
        )
    }
  })
).pipe(Layer.provide(NotificationsLive))
