import { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import {
  InboundQueue,
  type SettledMail,
  type TakeMails,
  type TakenMail
} from "@switchboard/services/email/receiving/InboundQueue"
import { Array, Effect, Either, Layer } from "effect"
import { countFitting } from "../../database/GroupCommit.js"
import { type LeaseRow, leaseHistory } from "../../queues/LeaseEntries.js"
import { NotificationsLive, queueTables } from "../../queues/QueueTables.js"
import { type Hold, workQueueSql } from "../../queues/WorkQueueSql.js"
import { mailColumns, mailFromRow } from "./InboundMailsSql.js"

/** A leased entry of `inbound_queue`. */
interface SendLease extends LeaseRow {
  readonly id: MessageId
}

/** A LATERAL join: one primary key lookup per entry with any query plan. */
const found = (columns: string) => /* sql */ `
SELECT ${columns} FROM json_to_recordset($1::json) AS t(organization_id uuid, id uuid)
  CROSS JOIN LATERAL (
    SELECT * FROM inbound_mails AS m
    WHERE m.organization_id = t.organization_id AND m.id = t.id AND m.raw IS NOT NULL OFFSET 0
  ) AS m`

const sizesStatement = found("m.id, m.size")
const readStatement = found(mailColumns)

const keysOf = (entries: ReadonlyArray<SendLease>) =>
  JSON.stringify(entries.map(({ id, organization_id }) => ({ organization_id, id })))

/**
 * Reads the mails of leased entries, up to the requested total of octets; the rest are returned as `excess`, and
 * entries without a stored mail as `gone`. Requires a transaction.
 */
const takeMails = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  leases: ReadonlyArray<SendLease>,
  request: TakeMails
) {
  const sizes = yield* sql.unsafe<{ readonly id: string; readonly size: number }>(sizesStatement, [keysOf(leases)])
  const sizeOf = new Map(sizes.map(({ id, size }) => [id, size]))
  const [gone, present] = Array.partitionMap(leases, (entry) => {
    const size = sizeOf.get(entry.id)
    return size === undefined ? Either.left(entry) : Either.right({ entry, size })
  })
  const entries = present.map(({ entry }) => entry)
  const [fitting, excess] = Array.splitAt(
    entries,
    countFitting(
      present.map(({ size }) => size),
      request.octets
    )
  )
  const rows = yield* sql.unsafe(readStatement, [keysOf(fitting)])
  const mails = new Map(rows.map(mailFromRow).map((mail) => [mail.id, mail]))
  const [removed, items] = Array.partitionMap(fitting, (entry): Either.Either<TakenMail, SendLease> => {
    const mail = mails.get(entry.id)
    return mail === undefined ? Either.left(entry) : Either.right({ mail, ...leaseHistory(entry) })
  })
  return { items, gone: [...gone, ...removed], excess }
})

const doneStatement = /* sql */ `
UPDATE inbound_mails AS m SET processed_at = now(), parse_error = g.parse_error
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, parse_error text)
WHERE m.organization_id = g.organization_id AND m.id = g.id`

/** Stores processed mails that the worker still holds. Requires a transaction. */
const settleMails = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  settled: ReadonlyArray<SettledMail>,
  hold: Hold
) {
  const held = yield* hold(settled.map(({ mail }) => mail))
  const own = settled.filter(({ mail }) => held.has(mail.id))
  const done = own.flatMap(({ mail: { id, organizationId }, processed }) =>
    processed._tag === "Done" ? [{ organization_id: organizationId, id, parse_error: processed.parseError }] : []
  )
  if (done.length > 0) yield* sql.unsafe(doneStatement, [JSON.stringify(done)])
  return own.map(({ mail: { id, organizationId }, processed }) => ({
    organizationId,
    id,
    retryAt: processed._tag === "Later" ? processed.at : null
  }))
})

/** The queue of received mails. Entries have the ids of mails. */
export const InboundQueueSql = Layer.effect(
  InboundQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    workQueueSql(queueTables.inbound, {
      read: (leases: ReadonlyArray<SendLease>, request: TakeMails) => takeMails(sql, leases, request),
      settle: (settled: ReadonlyArray<SettledMail>, hold) => settleMails(sql, settled, hold)
    })
  )
).pipe(Layer.provide(NotificationsLive))
