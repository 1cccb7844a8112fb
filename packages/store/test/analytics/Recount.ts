import { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { BigDecimal, DateTime, Effect } from "effect"

interface EventRow {
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
}

/** Messages by their ids, those too that were deleted. */
export type Remembered = Map<string, MessageRow>

const countedTypes = new Set(
  ["created", "sent", "delivered", "read", "failed", "bounced", "complained", "received"].map(
    (name) => `message.${name}`
  )
)

/** What is to be counted, and when it happened. */
export interface Moment {
  readonly at: number
  readonly type: string
  readonly subject: string
  readonly received: boolean
  readonly refused: boolean
  readonly cost: string
  readonly latency: number
  readonly responses: ReadonlyArray<number>
}

/** Sees which messages there are, so that they can be counted when they are deleted. */
export const remember = (organization: OrganizationId, remembered: Remembered) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<MessageRow>`SELECT id, direction, cost, conversation_id AS conversation, created_at AS at FROM messages
        WHERE organization_id = ${organization}`,
      (rows) => {
        for (const row of rows) remembered.set(row.id, row)
      }
    )
  )

/** Everything that is to be counted, found by going through all events and messages. */
export const moments = (organization: OrganizationId, remembered: Remembered) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* sql<EventRow>`SELECT type, subject_id AS subject, created_at AS at FROM events
      WHERE organization_id = ${organization}`
    const sent = new Set(events.filter(({ type }) => type === "message.sent").map(({ subject }) => subject))
    const all = [...remembered.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
    const answered = (answer: MessageRow) => {
      const own = all.filter(({ conversation }) => conversation !== null && conversation === answer.conversation)
      const before = own.slice(0, own.indexOf(answer))
      const last = before.findLastIndex(({ direction }) => direction === "outbound")
      return before.slice(last + 1).map(({ at }) => answer.at.getTime() - at.getTime())
    }
    return events.flatMap(({ at, subject, type }): ReadonlyArray<Moment> => {
      const message = remembered.get(subject)
      if (message === undefined || !countedTypes.has(type)) return []
      return [
        {
          at: at.getTime(),
          type,
          subject,
          received: message.direction === "inbound",
          refused: type === "message.bounced" && !sent.has(subject),
          cost: type === "message.created" ? message.cost : "0",
          latency: at.getTime() - message.at.getTime(),
          responses: type === "message.created" ? answered(message) : []
        }
      ]
    })
  })

/** Those of a range. */
export const within = (all: ReadonlyArray<Moment>, { end, start }: DateRange) =>
  all.filter(({ at }) => at >= DateTime.toEpochMillis(start) && at < DateTime.toEpochMillis(end))

const howMany = (all: ReadonlyArray<Moment>, type: string) => all.filter((one) => one.type === `message.${type}`).length

/** Counted one by one. */
export const countsOf = (all: ReadonlyArray<Moment>) => ({
  accepted: howMany(all, "created"),
  sent: howMany(all, "sent"),
  delivered: howMany(all, "delivered"),
  read: howMany(all, "read"),
  failed: howMany(all, "failed"),
  bounced: howMany(all, "bounced"),
  refused: all.filter(({ refused }) => refused).length,
  complained: howMany(all, "complained"),
  received: howMany(all, "received"),
  cost: BigDecimal.format(BigDecimal.sumAll(all.map(({ cost }) => BigDecimal.unsafeFromString(cost)))),
  responses: all.flatMap(({ responses }) => responses).length,
  responseMillis: all.flatMap(({ responses }) => responses).reduce((sum, one) => sum + one, 0)
})

/** The shortest time within which a part of what was sent was sent. */
export const percentileOf = (all: ReadonlyArray<Moment>, part: number) => {
  const times = all
    .filter(({ type }) => type === "message.sent")
    .map(({ latency }) => latency)
    .sort((one, other) => one - other)
  return times[Math.ceil(times.length * part) - 1] ?? 0
}
