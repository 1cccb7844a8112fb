import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { Message } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type ExportPart, ExportRepo, type FoundEvent } from "@switchboard/services/analytics/ExportRepo"
import { needsMessage } from "@switchboard/services/events/StoredEvent"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Duration, Effect, Layer } from "effect"
import { forRequest } from "../database/Unavailable.js"
import { blockColumns, blockFromRow } from "../email/blocks/BlockRows.js"
import { firstIdAt } from "../FirstIdAt.js"
import { columnsWithoutBodies, fieldsFromRow, type MessageRow, messageFromRow } from "../messages/MessageJson.js"
import { messageTables } from "../messages/MessageRows.js"

interface EventRow {
  readonly id: EventId
  readonly type: EventType
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: Date
}

/** Lower than every id. */
const minId = "00000000-0000-0000-0000-000000000000"

/**
 * The maximum difference between an event's time and its id. Ids are created when the event is written: possibly later,
 * and by another clock.
 */
const maxIdDelay = Duration.hours(1)

const idsOf = ({ end, start }: DateRange, slack: Duration.Duration) => ({
  first: firstIdAt(DateTime.subtractDuration(start, slack)),
  end: firstIdAt(DateTime.addDuration(end, slack))
})

/** The part that fills the page if unreadable rows were skipped. Null if none was skipped, or no row follows. */
const restOf = (
  part: ExportPart<string>,
  rows: ReadonlyArray<{ readonly id: string }>,
  found: ReadonlyArray<unknown>
): ExportPart<string> | null => {
  const last = rows.at(-1)
  return last === undefined || rows.length < part.limit || found.length === rows.length
    ? null
    : { ...part, after: last.id, limit: part.limit - found.length }
}

/**
 * Reads by primary key: a page starts after the last id of the page before, so its cost does not grow with the offset.
 */
export const ExportRepoSql = Layer.effect(
  ExportRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsWithoutBodies)
    const tables = sql.literal(messageTables)

    /** Ids after `after`, or from the first id of the range. */
    const beginning = (column: string, after: string | null, first: string) =>
      after === null || after < first ? sql`${sql.literal(column)} >= ${first}` : sql`${sql.literal(column)} > ${after}`

    const messages: (
      organization: OrganizationId,
      part: ExportPart<string>
    ) => Effect.Effect<ReadonlyArray<Message>, SqlError> = Effect.fnUntraced(function* (organization, part) {
      const { end, first } = idsOf(part.range, Duration.zero)
      const rows = yield* sql<MessageRow>`SELECT ${columns} FROM ${tables}
        WHERE m.organization_id = ${organization} AND ${beginning("m.id", part.after, first)} AND m.id < ${end}
        ORDER BY m.id LIMIT ${part.limit}`
      const found = yield* readableRows(rows, messageFromRow)
      const rest = restOf(part, rows, found)
      return rest === null ? found : [...found, ...(yield* messages(organization, rest))]
    })

    const events: (
      organization: OrganizationId,
      part: ExportPart<string>
    ) => Effect.Effect<ReadonlyArray<FoundEvent>, SqlError> = Effect.fnUntraced(function* (organization, part) {
      const { end, first } = idsOf(part.range, maxIdDelay)
      const rows = yield* sql<EventRow>`SELECT id, type, subject_id, data, created_at FROM events
        WHERE organization_id = ${organization} AND ${beginning("id", part.after, first)} AND id < ${end}
          AND created_at >= ${DateTime.toDateUtc(part.range.start)} AND created_at < ${DateTime.toDateUtc(part.range.end)}
        ORDER BY id LIMIT ${part.limit}`
      const subjects = [...new Set(rows.flatMap((row) => (needsMessage(row.type) ? [row.subject_id] : [])))]
      const found =
        subjects.length === 0
          ? []
          : yield* sql<MessageRow>`SELECT ${columns} FROM ${tables}
              WHERE m.organization_id = ${organization} AND m.id = ANY (${subjects}::uuid[])`
      const about = yield* readableRows(found, fieldsFromRow)
      const byId = new Map<string, typeof Message.Encoded>(about.map((message) => [message.id, message]))
      const readable = yield* readableRows(rows, ({ created_at, data, id, subject_id, type }) => ({
        event: {
          id,
          organizationId: organization,
          type,
          subjectId: subject_id,
          data,
          at: DateTime.unsafeFromDate(created_at)
        },
        message: byId.get(subject_id) ?? null
      }))
      const rest = restOf(part, rows, readable)
      return rest === null ? readable : [...readable, ...(yield* events(organization, rest))]
    })

    return {
      messages: (organization, part) => forRequest(messages(organization, part)),
      events: (organization, part) => forRequest(events(organization, part)),
      blocks: (organization, { after, limit }) =>
        sql`SELECT ${sql.literal(blockColumns)} FROM email_blocks AS b
          WHERE b.organization_id = ${organization} AND b.id > ${after ?? minId}
            AND (b.expires_at IS NULL OR b.expires_at > now())
          ORDER BY b.id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(blockFromRow)),
          forRequest
        )
    }
  })
)
