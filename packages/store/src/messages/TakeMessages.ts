import type { SqlClient } from "@effect/sql"
import type { EmailContent, MessageId } from "@switchboard/domain/messages/Message"
import { taken } from "@switchboard/domain/messages/MessageLifecycle"
import type { TakenMessage, TakeRequest } from "@switchboard/services/messages/DeliveryQueue"
import { Array, DateTime, Effect, Either } from "effect"
import { attachmentSizes, keysOf, readAttachments } from "./AttachmentRows.js"
import { type LeaseRow, leaseEntries, messageLeases } from "./LeaseEntries.js"
import type { Addressing } from "./MessageRows.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

/** Locks in the order of organization and message, and looks up one after the other by primary key whatever the plan. */
const readStatement = /* sql */ `
SELECT m.id, m.content, m.addressing, m.attachment_count, m.trace_parent, m.created_at, s.*
FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, message_id uuid)
    ORDER BY organization_id, message_id) AS t
  CROSS JOIN LATERAL (
    SELECT * FROM messages AS m WHERE m.organization_id = t.organization_id AND m.id = t.message_id OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (
    SELECT ${stateColumns} FROM message_states AS s
    WHERE s.organization_id = t.organization_id AND s.message_id = m.id FOR UPDATE
  ) AS s`

/** An entry whose message is gone has nothing to deliver. */
const dropStatement = /* sql */ `
DELETE FROM message_queue AS q USING json_to_recordset($1::json) AS t(organization_id uuid, id uuid)
WHERE q.organization_id = t.organization_id AND q.id = t.id`

interface WorkRow extends StateRow {
  readonly id: MessageId
  readonly content: EmailContent
  readonly addressing: Addressing
  readonly attachment_count: number
  readonly trace_parent: string | null
  readonly created_at: Date
}

/** How many of these, from the first on, are no more than `most` together; one at least. */
const howManyFit = (sizes: ReadonlyArray<number>, most: number) => {
  let sum = 0
  const tooMany = sizes.findIndex((size, index) => {
    sum += size
    return index > 0 && sum > most
  })
  return tooMany === -1 ? sizes.length : tooMany
}

interface Work {
  readonly entry: LeaseRow
  readonly row: WorkRow
}

const withFiles = (work: ReadonlyArray<Work>) =>
  work.flatMap(({ entry, row }) => (row.attachment_count > 0 ? [entry] : []))

const afterTake = ({ entry, row }: Work, now: DateTime.Utc) => {
  const before = stateFromRow(row)
  const takeover = entry.takeovers > 0 && before.status === "processing"
  return { entry, row, before, after: taken(before, takeover, now) }
}

/**
 * Leases entries, and moves their messages to `processing`. What has too many attachments to be held with those before
 * it is given back. Also says with which organization the next take goes on after. To be run in a transaction.
 */
export const takeMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  request: TakeRequest,
  cursor: string
) {
  const leases = yield* leaseEntries(sql, request, cursor)
  const last = leases.at(-1)
  if (last === undefined) return { messages: [], cursor }
  const rows = yield* sql.unsafe<WorkRow>(readStatement, [keysOf(leases)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const [orphans, found] = Array.partitionMap(leases, (entry): Either.Either<Work, LeaseRow> => {
    const row = byId.get(entry.message_id)
    return row === undefined ? Either.left(entry) : Either.right({ entry, row })
  })
  if (orphans.length > 0) {
    yield* sql.unsafe(dropStatement, [
      JSON.stringify(orphans.map(({ id, organization_id }) => ({ organization_id, id })))
    ])
  }
  const sizes = yield* attachmentSizes(sql, request.expiredOnly ? [] : withFiles(found))
  const [fitting, rest] = Array.splitAt(
    found,
    howManyFit(
      found.map(({ row }) => sizes.get(row.id) ?? 0),
      request.attachmentBytes
    )
  )
  yield* messageLeases.giveBack(
    sql,
    rest.map(({ entry }) => entry)
  )
  const now = yield* DateTime.now
  const work = fitting.map((one) => afterTake(one, now))
  yield* writeStates(
    sql,
    work.map(({ after, before, entry }) => ({
      organizationId: entry.organization_id,
      messageId: entry.message_id,
      before,
      after
    }))
  )
  const attachments = yield* readAttachments(sql, request.expiredOnly ? [] : withFiles(fitting))
  const messages = work.map(
    ({ after, entry, row }): TakenMessage => ({
      organizationId: entry.organization_id,
      messageId: entry.message_id,
      queueId: entry.id,
      takeovers: entry.takeovers,
      state: after,
      content: row.content,
      addressing: row.addressing,
      attachments: attachments.get(entry.message_id) ?? [],
      dueSince: DateTime.unsafeFromDate(entry.due_since),
      createdAt: DateTime.unsafeFromDate(row.created_at),
      traceParent: row.trace_parent
    })
  )
  const end = fitting.at(-1)?.entry ?? last
  return { messages, cursor: request.expiredOnly ? cursor : end.organization_id }
})
