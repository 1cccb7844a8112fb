import { Array, Number, Record } from "effect"
import type { EventType } from "../events/EventType.js"
import type { Channel, ConversationId, Message } from "../messages/Message.js"
import type { MessageStatus } from "../messages/state/MessageStatus.js"
import type { OrganizationId } from "../organizations/Organization.js"
import type { ParticipantId } from "../participants/Participant.js"

/** Where a participant is. Texts are empty if unknown. */
export interface Place {
  readonly country: string
  readonly region: string
}

/** The message of an event. Except for places, no later event changes these facts, so that events can be folded at any time. */
export interface EventMessage {
  readonly channel: Channel
  readonly direction: Message["direction"]
  readonly cost: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly conversationId: ConversationId | null
  readonly fromParticipantId: ParticipantId
  /** The domain of the sender in lower case; null unless it is sent mail, no test and not deleted. */
  readonly domain: string | null
  readonly toParticipantIds: ReadonlyArray<ParticipantId>
  /** For bounces and complaints: when it was sent, in milliseconds since 1970; null if it was not. */
  readonly sentAt: number | null
  /** For `message.bounced`: whether it was sent before. */
  readonly wasSent: boolean
  /** For `message.deleted`: the last status. */
  readonly lastStatus: MessageStatus | null
  /** For `message.created`: inbound messages that it is the first reply to, and the sum of their response times. */
  readonly responses: number
  readonly responseMillis: number
  /** For `message.created`: the place that each recipient has when the event is folded. */
  readonly places: ReadonlyArray<Place>
}

/** The status of a message after an event that changes it. */
export const statusAfter: Partial<Record<EventType, MessageStatus>> = {
  "message.pending": "pending",
  "message.scheduled": "scheduled",
  "message.queued": "queued",
  "message.processing": "processing",
  "message.sent": "sent",
  "message.delivered": "delivered",
  "message.read": "read",
  "message.failed": "failed",
  "message.bounced": "bounced",
  "message.complained": "complained"
}

/** An event as rollups count it. */
export interface FoldedEvent {
  readonly organizationId: OrganizationId
  readonly type: EventType
  /** Milliseconds since 1970. */
  readonly at: number
  /** The status of the message before the event; null for its first event. */
  readonly statusBefore: MessageStatus | null
  /** For `message.clicked`: whether it is the first click of the message. */
  readonly isFirst: boolean
  /** Null if the event describes no message. */
  readonly message: EventMessage | null
}

/** Sums over events, in rows with a key. */
export interface Rollup<Row> {
  /** The types of events with contributions. */
  readonly types: ReadonlyArray<EventType>
  /** Whether it counts the places of recipients. */
  readonly readsPlaces?: boolean
  /** The rows that an event adds. */
  readonly contributions: (event: FoldedEvent) => ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** The sum of rows with the same key. */
  readonly sum: (rows: Array.NonEmptyReadonlyArray<Row>) => Row
}

/** The sums of numbers by name. */
export const sumByName = (all: ReadonlyArray<Readonly<Record<string, number>>>): Readonly<Record<string, number>> =>
  Record.map(
    Array.groupBy(all.flatMap(Record.toEntries), ([name]) => name),
    (entries) => Number.sumAll(entries.map(([, number]) => number))
  )

/** One row per key. */
export const sumByKey = <Row>({ keyOf, sum }: Rollup<Row>, rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  Record.values(Record.map(Array.groupBy(rows, keyOf), sum))

/** The rows that events add, one per key. */
export const fold = <Row>(rollup: Rollup<Row>, events: ReadonlyArray<FoldedEvent>): ReadonlyArray<Row> =>
  sumByKey(rollup, events.flatMap(rollup.contributions))
