import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { TakeMails, TakenMail } from "@switchboard/services/email/receiving/InboundQueue"
import { Array, Effect, Either } from "effect"
import { howManyFit } from "../../database/HowManyFit.js"
import { type LeaseRow, leaseHistory, leasesOf } from "../../queues/Leases.js"
import { mailColumns, mailFromRow } from "./InboundMailRows.js"

/** The channel on which workers hear that mail is there. */
export const inboundChannel = "switchboard_inbound"

/** A queue entry that was leased just now. */
interface MailLease extends LeaseRow {
  readonly id: MessageId
}

/** The leases of `inbound_queue`: organizations take turns. */
export const inboundLeases = leasesOf<MailLease>({
  name: "inbound_queue",
  owner: "organization_id",
  columns: [],
  channel: inboundChannel
})

/** One after the other by primary key, whatever the plan. */
const found = (columns: string) => /* sql */ `
SELECT ${columns} FROM json_to_recordset($1::json) AS t(organization_id uuid, id uuid)
  CROSS JOIN LATERAL (
    SELECT * FROM inbound_mails AS m
    WHERE m.organization_id = t.organization_id AND m.id = t.id AND m.raw IS NOT NULL OFFSET 0
  ) AS m`

const sizesStatement = found("m.id, m.size")
const readStatement = found(mailColumns)

/** What is not kept any more can't be read any more. */
const dropStatement = /* sql */ `DELETE FROM inbound_queue WHERE ctid = ANY ($1::tid[])`

const keysOf = (entries: ReadonlyArray<MailLease>) =>
  JSON.stringify(entries.map(({ id, organization_id }) => ({ organization_id, id })))

/**
 * Leases entries, and reads their mails. What is too much to be held with those before it is given back. To be run in
 * a transaction.
 */
export const takeMails = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, request: TakeMails, cursor: string) {
  const leases = yield* inboundLeases.take(sql, request, cursor)
  const last = leases.at(-1)
  if (last === undefined) return { taken: [], cursor }
  const sizes = yield* sql.unsafe<{ readonly id: string; readonly size: number }>(sizesStatement, [keysOf(leases)])
  const sizeOf = new Map(sizes.map(({ id, size }) => [id, size]))
  const [orphans, present] = Array.partitionMap(leases, (entry) => {
    const size = sizeOf.get(entry.id)
    return size === undefined ? Either.left(entry) : Either.right({ entry, size })
  })
  if (orphans.length > 0) yield* sql.unsafe(dropStatement, [orphans.map(({ place_in_table }) => place_in_table)])
  const [fitting, rest] = Array.splitAt(
    present,
    howManyFit(
      present.map(({ size }) => size),
      request.octets
    )
  )
  yield* inboundLeases.giveBack(
    sql,
    rest.map(({ entry }) => entry)
  )
  const entries = fitting.map(({ entry }) => entry)
  const rows = yield* sql.unsafe(readStatement, [keysOf(entries)])
  const mails = new Map(rows.map(mailFromRow).map((mail) => [mail.id, mail]))
  const taken = entries.flatMap((entry): ReadonlyArray<TakenMail> => {
    const mail = mails.get(entry.id)
    return mail === undefined ? [] : [{ mail, ...leaseHistory(entry) }]
  })
  return { taken, cursor: (entries.at(-1) ?? last).organization_id }
})
