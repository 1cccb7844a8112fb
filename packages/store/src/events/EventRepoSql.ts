import { SqlClient } from "@effect/sql"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type EventPosition, EventRepo } from "@switchboard/services/events/EventRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Effect, Layer, Option } from "effect"
import { forCaller } from "../database/Unavailable.js"
import { readEventMessages } from "./EventMessages.js"

interface PositionRow {
  readonly xid: string
  readonly id: EventId
}

interface EventRow extends PositionRow {
  readonly type: EventType
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: Date
}

/**
 * Nothing that is still to be committed comes before these. Whatever writes anywhere on the server holds this up as
 * long as its transaction lasts.
 */
const complete = "xid < pg_snapshot_xmin(pg_current_snapshot())"

/** Before all events: no transaction has this number. */
const beginning: EventPosition = { transaction: "0", id: EventId.make("00000000-0000-0000-0000-000000000000") }

const positionFromRow = ({ id, xid }: PositionRow): EventPosition => ({ transaction: xid, id })

/** Events in the order of `events_stream`. */
export const EventRepoSql = Layer.effect(
  EventRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const after = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      position: EventPosition | null,
      limit: number,
      wants: (type: EventType) => boolean
    ) {
      const { id, transaction } = position ?? beginning
      const rows = yield* sql<EventRow>`SELECT xid, id, type, subject_id, data, created_at FROM events
        WHERE organization_id = ${organizationId} AND (xid, id) > (${transaction}::xid8, ${id}::uuid)
          AND ${sql.literal(complete)}
        ORDER BY xid, id LIMIT ${limit}`
      const events = yield* readableRows(
        rows.filter(({ type }) => wants(type)),
        (row) => ({
          id: row.id,
          organizationId,
          type: row.type,
          subjectId: row.subject_id,
          data: row.data,
          at: DateTime.unsafeFromDate(row.created_at)
        })
      )
      const messages = yield* readEventMessages(sql, events)
      const last = rows.at(-1)
      return {
        events: events.map((event) => ({ event, message: messages.get(event.subjectId) ?? null })),
        position: last === undefined ? position : positionFromRow(last),
        isFull: rows.length === limit
      }
    })

    return {
      after: (organization, position, limit, wants) => forCaller(after(organization, position, limit, wants)),
      position: (organization) =>
        sql<PositionRow>`SELECT xid, id FROM events WHERE organization_id = ${organization}
          AND ${sql.literal(complete)} ORDER BY xid DESC, id DESC LIMIT 1`.pipe(
          Effect.map(([row]) => (row === undefined ? null : positionFromRow(row))),
          forCaller
        ),
      positionOf: (organization, id) =>
        sql<PositionRow>`SELECT xid, id FROM events WHERE organization_id = ${organization} AND id = ${id}`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), positionFromRow)),
          forCaller
        )
    }
  })
)
