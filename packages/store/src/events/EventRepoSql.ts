import { SqlClient } from "@effect/sql"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type EventPosition, EventRepo } from "@switchboard/services/events/EventRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Effect, Layer, Option } from "effect"
import { inBatches } from "../database/Batches.js"
import { forRequest, orUnavailable } from "../database/Unavailable.js"
import { readEventMessages } from "./EventMessages.js"
import { maxNumbered, numberEvents } from "./NumberEvents.js"

interface PositionRow {
  readonly position: string
  readonly id: EventId
}

interface EventRow extends PositionRow {
  readonly type: EventType
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: Date
}

/** Before all events: positions start at 1. */
const beginning: EventPosition = { batch: "0", id: EventId.make("00000000-0000-0000-0000-000000000000") }

const positionFromRow = ({ id, position }: PositionRow): EventPosition => ({ batch: position, id })

/** Reads batches in the order of position, and each of their events by primary key with any query plan. */
const eventsStatement = /* sql */ `
SELECT b.position, e.id, e.type, e.subject_id, e.data, e.created_at
FROM event_batches AS b
  CROSS JOIN LATERAL (
    SELECT e.* FROM unnest(b.events) AS u(id) CROSS JOIN LATERAL (
      SELECT * FROM events AS e WHERE e.organization_id = $1 AND e.id = u.id OFFSET 0
    ) AS e ORDER BY e.id
  ) AS e
WHERE b.organization_id = $1 AND b.position >= $2 AND (b.position, e.id) > ($2, $3::uuid)
ORDER BY b.position, e.id LIMIT $4`

/** The newest event that is stored: retention can delete the newest ones of a batch. `OFFSET 0` keeps the look-ups by id. */
const newestStatement = /* sql */ `
SELECT b.position, e.id FROM event_batches AS b CROSS JOIN LATERAL (
  SELECT e.id FROM unnest(b.events) AS u(id) CROSS JOIN LATERAL (
    SELECT id FROM events WHERE organization_id = $1 AND id = u.id OFFSET 0
  ) AS e ORDER BY e.id DESC LIMIT 1
) AS e WHERE b.organization_id = $1 ORDER BY b.position DESC LIMIT 1`

/** The batch of an event starts with this event or an earlier one. */
const positionStatement = /* sql */ `
SELECT b.position, e.id FROM events AS e CROSS JOIN LATERAL (
  SELECT position FROM event_batches
  WHERE organization_id = $1 AND first_event <= $2 AND e.id = ANY (events) ORDER BY first_event DESC LIMIT 1
) AS b WHERE e.organization_id = $1 AND e.id = $2`

/** Events in the order of the positions in `event_batches`. */
export const EventRepoSql = Layer.effect(
  EventRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Assigns positions to all committed events of an organization. */
    const number = Effect.fnUntraced(function* (organization: OrganizationId) {
      const unnumbered = yield* sql`SELECT FROM new_event_batches WHERE organization_id = ${organization} LIMIT 1`
      if (unnumbered.length > 0) yield* inBatches(numberEvents(sql, [organization]), maxNumbered)
    })

    const after = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      position: EventPosition | null,
      limit: number,
      matches: (type: EventType) => boolean
    ) {
      yield* number(organizationId)
      const { batch, id } = position ?? beginning
      const rows = yield* sql.unsafe<EventRow>(eventsStatement, [organizationId, batch, id, limit])
      const events = yield* readableRows(
        rows.filter(({ type }) => matches(type)),
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
      after: (organization, position, limit, matches) => forRequest(after(organization, position, limit, matches)),
      position: (organization) =>
        number(organization).pipe(
          Effect.zipRight(sql.unsafe<PositionRow>(newestStatement, [organization])),
          Effect.map(([row]) => (row === undefined ? null : positionFromRow(row))),
          forRequest
        ),
      positionOf: (organization, id) =>
        number(organization).pipe(
          Effect.zipRight(sql.unsafe<PositionRow>(positionStatement, [organization, id])),
          Effect.map(([row]) => Option.map(Option.fromNullable(row), positionFromRow)),
          forRequest
        ),
      number: inBatches(
        sql<{ organization_id: OrganizationId }>`SELECT DISTINCT organization_id
          FROM (SELECT organization_id FROM new_event_batches LIMIT ${maxNumbered}) AS b`.pipe(
          Effect.flatMap((rows) =>
            numberEvents(
              sql,
              rows.map(({ organization_id }) => organization_id)
            )
          )
        ),
        maxNumbered
      ).pipe(orUnavailable)
    }
  })
)
