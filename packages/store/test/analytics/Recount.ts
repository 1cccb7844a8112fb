import { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, BigDecimal, DateTime, Effect, Record } from "effect"

interface EventRow {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly at: Date
}

interface MessageRow {
  readonly id: string
  readonly direction: string
  readonly cost: string
  readonly conversation: string | null
  readonly at: Date
  readonly sender: string
  /** The last status; null if the message has no state. */
  readonly status: string | null
  /** The places that the recipients had at acceptance. */
  readonly places: ReadonlyArray<string>
}

/** Messages by id, including deleted ones. */
export type KnownMessages = Map<string, MessageRow>

const countedTypes = new Set(
  ["created", "sent", "delivered", "read", "clicked", "failed", "bounced", "complained", "received"].map(
    (name) => `message.${name}`
  )
)

/** An event to count, with its time. */
export interface CountedEvent {
  readonly at: number
  readonly type: string
  readonly subject: string
  readonly received: boolean
  readonly refused: boolean
  readonly cost: string
  readonly latency: number
  readonly responses: ReadonlyArray<number>
}

/** Records the existing messages, so that they can be counted after their deletion. */
export const recordMessages = (organization: OrganizationId, recorded: KnownMessages) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<MessageRow>`SELECT id, direction, cost, conversation_id AS conversation, created_at AS at,
          from_participant_id AS sender, status, ARRAY(
            SELECT concat_ws(' ', coalesce(p.country, CASE left(a.address, 5) WHEN '+4930' THEN 'DE' WHEN '+1416' THEN 'CA' END,
              '-'), coalesce(p.region, '-'))
            FROM unnest(to_participant_ids) AS one LEFT JOIN participants AS p ON p.organization_id = m.organization_id AND p.id = one
              LEFT JOIN participant_addresses AS a ON a.organization_id = m.organization_id AND a.participant_id = one
                AND a.kind = 'phone' WHERE direction = 'outbound'
          ) AS places
        FROM messages AS m LEFT JOIN message_states AS s ON s.organization_id = m.organization_id AND s.message_id = m.id
        WHERE m.organization_id = ${organization}`,
      (rows) => {
        for (const row of rows) {
          recorded.set(row.id, { ...row, places: recorded.get(row.id)?.places ?? row.places })
        }
      }
    )
  )

/** All events to count, derived from the events and messages. */
export const countedEvents = (organization: OrganizationId, recorded: KnownMessages) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* sql<EventRow>`SELECT id, type, subject_id AS subject, created_at AS at FROM events
      WHERE organization_id = ${organization}`
    const firstClicks = new Map<string, string>()
    for (const { id, subject, type } of events.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      if (type === "message.clicked" && !firstClicks.has(subject)) firstClicks.set(subject, id)
    }
    const sent = new Set(events.filter(({ type }) => type === "message.sent").map(({ subject }) => subject))
    const all = [...recorded.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
    const responseTimes = (reply: MessageRow) => {
      const own = all.filter(({ conversation }) => conversation !== null && conversation === reply.conversation)
      const before = own.slice(0, own.indexOf(reply))
      const last = before.findLastIndex(({ direction }) => direction === "outbound")
      return before.slice(last + 1).map(({ at }) => reply.at.getTime() - at.getTime())
    }
    return events.flatMap(({ at, id, subject, type }): ReadonlyArray<CountedEvent> => {
      const message = recorded.get(subject)
      if (message === undefined || !countedTypes.has(type)) return []
      if (type === "message.clicked" && firstClicks.get(subject) !== id) return []
      return [
        {
          at: at.getTime(),
          type,
          subject,
          received: message.direction === "inbound",
          refused: type === "message.bounced" && !sent.has(subject),
          cost: type === "message.created" ? message.cost : "0",
          latency: at.getTime() - message.at.getTime(),
          responses: type === "message.created" ? responseTimes(message) : []
        }
      ]
    })
  })

/** The events or messages of a range. */
export const within = <One extends { readonly at: number }>(all: ReadonlyArray<One>, { end, start }: DateRange) =>
  all.filter(({ at }) => at >= DateTime.toEpochMillis(start) && at < DateTime.toEpochMillis(end))

const countOf = (all: ReadonlyArray<CountedEvent>, type: string) =>
  all.filter((one) => one.type === `message.${type}`).length

/** Counts one by one. */
export const countsOf = (all: ReadonlyArray<CountedEvent>) => ({
  accepted: countOf(all, "created"),
  sent: countOf(all, "sent"),
  delivered: countOf(all, "delivered"),
  read: countOf(all, "read"),
  clicked: countOf(all, "clicked"),
  failed: countOf(all, "failed"),
  bounced: countOf(all, "bounced"),
  refused: all.filter(({ refused }) => refused).length,
  complained: countOf(all, "complained"),
  received: countOf(all, "received"),
  cost: BigDecimal.format(BigDecimal.sumAll(all.map(({ cost }) => BigDecimal.unsafeFromString(cost)))),
  responses: all.flatMap(({ responses }) => responses).length,
  responseMillis: all.flatMap(({ responses }) => responses).reduce((sum, one) => sum + one, 0)
})

/** The latency within which a share of the sent messages were sent. */
export const percentileOf = (all: ReadonlyArray<CountedEvent>, part: number) => {
  const times = all
    .filter(({ type }) => type === "message.sent")
    .map(({ latency }) => latency)
    .sort((one, other) => one - other)
  return times[Math.ceil(times.length * part) - 1] ?? 0
}

/** The recipients of messages, including deleted ones, that were accepted in a range, by place. */
export const placesWithin = (recorded: KnownMessages, { end, start }: DateRange) => {
  const all = [...recorded.values()].flatMap(({ at, places }) =>
    at.getTime() >= DateTime.toEpochMillis(start) && at.getTime() < DateTime.toEpochMillis(end) ? places : []
  )
  return Record.map(
    Array.groupBy(all, (place) => place),
    (same) => same.length
  )
}

const sentStatuses = new Set(["sent", "delivered", "read", "bounced", "complained"])

/** The outcomes of a sender's messages, including deleted ones, that were accepted since an instant; undefined without any. */
export const outcomesSince = (recorded: KnownMessages, sender: string, since: DateTime.Utc) => {
  const statuses = [...recorded.values()].flatMap(({ at, direction, sender: own, status }) =>
    direction === "outbound" && own === sender && at.getTime() >= DateTime.toEpochMillis(since) ? [status ?? ""] : []
  )
  const sent = statuses.filter((status) => sentStatuses.has(status))
  return {
    sent: sent.length,
    bounced: sent.filter((status) => status === "bounced").length,
    complained: sent.filter((status) => status === "complained").length
  }
}
