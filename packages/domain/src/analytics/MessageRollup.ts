import { BigDecimal, Number, Struct } from "effect"
import type { EventType } from "../events/EventType.js"
import type { Channel } from "../messages/Message.js"
import type { OrganizationId } from "../organizations/Organization.js"
import { floorTo, quarterMillis } from "./DateRange.js"
import { latencyBucket } from "./LatencyHistogram.js"
import { type MessageCounts, totalOf } from "./MessageCounts.js"
import { type EventMessage, type FoldedEvent, type Rollup, sumByName } from "./Rollup.js"

/** The messages of a channel in a quarter hour, each event in the quarter hour of its time. */
export interface MessageRow extends MessageCounts {
  readonly organizationId: OrganizationId
  /** The start of the quarter hour, in milliseconds since 1970: hours and days of all time zones consist of them. */
  readonly quarter: number
  readonly channel: Channel
  /** The cost of accepted messages. */
  readonly cost: BigDecimal.BigDecimal
  /** Inbound messages with a reply, counted at the reply, and the sum of their response times. */
  readonly responses: number
  readonly responseMillis: number
  /** Sent messages by the bucket of the latency from acceptance to the status sent. */
  readonly latencies: Readonly<Record<string, number>>
}

/** The count of each event. A message that was read counts as sent, delivered and read. */
const countOf: Partial<Record<EventType, keyof MessageCounts>> = {
  "message.created": "accepted",
  "message.sent": "sent",
  "message.delivered": "delivered",
  "message.read": "read",
  "message.clicked": "clicked",
  "message.failed": "failed",
  "message.bounced": "bounced",
  "message.complained": "complained",
  "message.received": "received"
}

const noCounts = totalOf([])
const noCost = BigDecimal.unsafeFromNumber(0)

const addedBy = ({ at, type }: FoldedEvent, message: EventMessage, counted: keyof MessageCounts) => ({
  ...noCounts,
  [counted]: 1,
  refused: type === "message.bounced" && !message.wasSent ? 1 : 0,
  cost: type === "message.created" ? BigDecimal.unsafeFromString(message.cost) : noCost,
  responses: type === "message.created" ? message.responses : 0,
  responseMillis: type === "message.created" ? message.responseMillis : 0,
  latencies: type === "message.sent" ? { [latencyBucket(at - message.createdAt)]: 1 } : {}
})

/** Counts of messages by quarter hour and channel. Tests are counted too. Deleting a message does not change them. */
export const messageRollup: Rollup<MessageRow> = {
  types: Struct.keys(countOf),
  contributions: (event) => {
    const { at, message, organizationId, type } = event
    const counted = countOf[type]
    if (message === null || counted === undefined) return []
    if (counted === "clicked" && !event.isFirst) return []
    if (message.direction !== (counted === "received" ? "inbound" : "outbound")) return []
    const quarter = floorTo(quarterMillis, at)
    return [{ organizationId, quarter, channel: message.channel, ...addedBy(event, message, counted) }]
  },
  keyOf: ({ channel, organizationId, quarter }) => `${organizationId} ${quarter} ${channel}`,
  sum: (rows) => ({
    ...rows[0],
    ...totalOf(rows),
    cost: BigDecimal.sumAll(rows.map(({ cost }) => cost)),
    responses: Number.sumAll(rows.map(({ responses }) => responses)),
    responseMillis: Number.sumAll(rows.map(({ responseMillis }) => responseMillis)),
    latencies: sumByName(rows.map(({ latencies }) => latencies))
  })
}
