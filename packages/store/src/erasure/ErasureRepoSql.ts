import { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { type Counted, type Erasure, ErasureRepo, isPhoneErasure } from "@switchboard/services/erasure/ErasureRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Duration, Effect, Layer, Option } from "effect"
import { separateConnections } from "../database/Database.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { failForwardings } from "../email/forwarding/ForwardingQueueSql.js"
import { eraseMentions } from "./EraseMentions.js"
import { eraseParticipants } from "./EraseParticipants.js"
import { beginRun } from "./ErasureRun.js"
import { mentionOf } from "./Mentions.js"

const forwardingEntries = /* sql */ `(
  SELECT organization_id, id, COALESCE(lease_until, ready_at) AS due_at FROM forwarding_queue
  UNION ALL SELECT organization_id, id, due_at FROM forwarding_waiting
)`

/** Mails that are not processed or not forwarded yet. They are few, so that only they are searched. */
const pendingMails = (isDue = "true") => /* sql */ `(
  SELECT organization_id, id FROM (
    SELECT organization_id, id, COALESCE(lease_until, ready_at) AS due_at FROM inbound_queue
    UNION ALL SELECT organization_id, id, due_at FROM inbound_waiting
    UNION ALL SELECT f.organization_id, f.mail_id, q.due_at FROM ${forwardingEntries} AS q
      JOIN forwardings AS f ON f.organization_id = q.organization_id AND f.id = q.id
  ) AS way WHERE ${isDue}
)`

/** The header of `inbound_mails AS m`, from its first 128 KiB. */
const header = `split_part(replace(encode(substring(m.raw FROM 1 FOR 131072), 'escape'), E'\\r', ''), E'\\n\\n', 1)`

/** A regular expression for an address in the From field, which may be folded. */
const writtenBy = (mention: string) => `(?:^|\n)from:(?:[^\n]|\n[ \t])*${mention}`

interface Withdrawn {
  readonly id: string
  readonly organization_id: string
}

/**
 * Erases a person's own mails that are not processed yet, like removed messages. A worker that processes one finds it
 * already received. Requires a transaction.
 */
const withdrawMails = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, erasure: Erasure, only: Fragment) {
  const mention = mentionOf(erasure.address)
  const theirs = yield* sql<Withdrawn>`SELECT m.organization_id, m.id FROM inbound_mails AS m
    WHERE (m.organization_id, m.id) IN ${sql.literal(pendingMails())} AND ${only} AND m.raw IS NOT NULL
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
 * Stops forwardings to a person. A mail without a local copy is received instead, unless a worker is processing it.
 * Requires a transaction.
 */
const stopForwarding = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { address }: Erasure, only: Fragment) {
  const theirs = yield* sql<Withdrawn>`SELECT q.organization_id, q.id FROM ${sql.literal(forwardingEntries)} AS q
      JOIN forwardings AS f ON f.organization_id = q.organization_id AND f.id = q.id
    WHERE lower(f.forward_to) = ${addressKey(address)} AND ${only} ORDER BY q.organization_id, q.id`
  if (theirs.length === 0) return 0
  const stopped = yield* failForwardings(
    sql,
    theirs.map((one) => ({ ...one, error: "The address was erased" }))
  )
  // An entry that another transaction moves between the tables is dropped when it is leased, because its forwarding has
  // ended.
  for (const table of ["forwarding_waiting", "forwarding_queue"]) {
    yield* sql`DELETE FROM ${sql.literal(table)} WHERE (organization_id, id) IN (
      SELECT f.organization_id, f.id FROM forwardings AS f WHERE f.id = ANY (${[...stopped]}::uuid[]))`
  }
  return stopped.size
})

/** The number of unprocessed mails that are due within a time and mention a person or are forwarded to them. */
const countPendingMails = (
  sql: SqlClient.SqlClient,
  { address }: Erasure,
  only: Fragment,
  within?: Duration.Duration
) => {
  const mention = mentionOf(address)
  const isDue = within && `due_at < now() + make_interval(secs => ${Duration.toSeconds(within)})`
  return Effect.map(
    sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM inbound_mails AS m
      WHERE (m.organization_id, m.id) IN ${sql.literal(pendingMails(isDue))} AND ${only} AND m.raw IS NOT NULL
        AND (m.mail_from ~* ${mention} OR m.recipients::text ~* ${mention} OR encode(m.raw, 'escape') ~* ${mention}
          OR EXISTS (SELECT FROM forwardings AS f WHERE f.organization_id = m.organization_id AND f.mail_id = m.id
            AND f.status = 'waiting' AND lower(f.forward_to) = ${addressKey(address)}))`,
    ([row]) => row?.count ?? 0
  )
}

/**
 * Deletes the texts and receipts of a phone that are not processed yet. A receipt has no organization until it is
 * processed. Requires a transaction.
 */
const withdrawTexts = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { address }: Erasure, only: Fragment) {
  const theirs = yield* sql<Withdrawn>`DELETE FROM provider_events AS e
    WHERE ${only} AND ${address} IN (e.event ->> 'from', e.event ->> 'phone') RETURNING e.organization_id, e.id`
  for (const table of ["provider_event_queue", "provider_event_waiting"]) {
    yield* sql`DELETE FROM ${sql.literal(table)} WHERE id = ANY (${theirs.map(({ id }) => id)}::uuid[])`
  }
  return theirs.length
})

const counted =
  (what: string) =>
  (rows: ReadonlyArray<unknown>): ReadonlyArray<Counted> =>
    rows.length === 0 ? [] : [{ what, count: rows.length }]

/**
 * Erases a phone from the tables that have phone numbers only. Active opt-outs protect the person and stay. Requires a
 * transaction.
 */
const erasePhone = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { address }: Erasure, only: Fragment) {
  const sent = yield* sql`DELETE FROM provider_messages WHERE recipient = ${address} AND ${only} RETURNING 1`
  const lifted = yield* sql`DELETE FROM sms_opt_outs WHERE phone = ${address} AND ${only} AND NOT is_active RETURNING 1`
  const active = yield* sql`SELECT FROM sms_opt_outs WHERE phone = ${address} AND ${only}`
  return {
    erased: [...counted("ids of sent texts")(sent), ...counted("lifted opt-outs")(lifted)],
    left: counted("sms_opt_outs")(active)
  }
})

/**
 * Finds and erases an address in all tables. Uses a separate connection without the pool's timeouts: a statement may
 * wait for the lock of a row, or read a large mail.
 */
export const ErasureRepoSql = Layer.scoped(
  ErasureRepo,
  Effect.gen(function* () {
    const messages = yield* MessageRepo
    const { project } = yield* RollupRepo
    const context = yield* Layer.build(separateConnections(1)).pipe(orUnavailable)
    const sql = yield* Effect.provide(SqlClient.SqlClient, context)

    const only = ({ organization }: Erasure, column = "organization_id") =>
      Option.match(organization, {
        onNone: () => sql`true`,
        onSome: (id) => sql`${sql.literal(column)} = ${id}`
      })

    const transaction = <A, E>(statements: Effect.Effect<A, E>) =>
      statements.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    return {
      ownUses: (erasure) => {
        const key = addressKey(erasure.address)
        return transaction(
          Effect.map(
            Effect.all([
              sql`SELECT FROM numbers WHERE number = ${erasure.address} AND ${only(erasure)}`.pipe(
                Effect.map(counted("number"))
              ),
              sql`SELECT FROM email_senders WHERE lower(email) = ${key} AND ${only(erasure)}`.pipe(
                Effect.map(counted("sender"))
              ),
              sql`SELECT FROM receiving_addresses WHERE address = ${key} AND ${only(erasure)}`.pipe(
                Effect.map(counted("receiving address"))
              )
            ]),
            (found) => found.flat()
          )
        )
      },
      withdrawReceived: (erasure) =>
        transaction(
          isPhoneErasure(erasure)
            ? withdrawTexts(sql, erasure, only(erasure, "e.organization_id"))
            : withdrawMails(sql, erasure, only(erasure, "m.organization_id"))
        ),
      stopForwarding: (erasure) => transaction(stopForwarding(sql, erasure, only(erasure, "q.organization_id"))),
      stillQueued: (erasure, within) =>
        transaction(countPendingMails(sql, erasure, only(erasure, "m.organization_id"), within)),
      eraseAll: (erasure, report) =>
        Effect.gen(function* () {
          const { end, position, record } = yield* beginRun(sql, erasure)
          yield* eraseParticipants(sql, messages, project, erasure, record, report)
          yield* eraseMentions(sql, messages, erasure, position, record, report)
          if (isPhoneErasure(erasure)) yield* record(yield* transaction(erasePhone(sql, erasure, only(erasure))))
          return yield* end
        }).pipe(orUnavailable)
    }
  })
)
