import { DateTime, Number, Struct } from "effect"
import type { EventType } from "../events/EventType.js"
import type { OrganizationId } from "../organizations/Organization.js"
import type { ParticipantId } from "../participants/Participant.js"
import { type EventMessage, type Rollup, sumByName } from "./Rollup.js"

/** The stored messages from or to a participant that were created in a month (UTC). */
export interface ParticipantRow {
  readonly organizationId: OrganizationId
  readonly participantId: ParticipantId
  /** The start of the month, in milliseconds since 1970. */
  readonly month: number
  readonly messages: number
  /** The messages of each day of the month, by its number from 1. */
  readonly days: Readonly<Record<string, number>>
}

/** The participants that a message counts for: its sender if it is inbound, else its recipients. */
const participantsOf = ({ direction, fromParticipantId, toParticipantIds }: EventMessage) =>
  direction === "inbound" ? [fromParticipantId] : toParticipantIds

/** The stored messages that an event adds. */
const addedBy: Partial<Record<EventType, number>> = {
  "message.created": 1,
  "message.received": 1,
  "message.deleted": -1
}

/** Messages by participant and month. */
export const participantRollup: Rollup<ParticipantRow> = {
  types: Struct.keys(addedBy),
  contributions: ({ message, organizationId, type }) => {
    const messages = addedBy[type]
    if (message === null || messages === undefined) return []
    const created = DateTime.unsafeMake(message.createdAt)
    return participantsOf(message).map((participantId) => ({
      organizationId,
      participantId,
      month: DateTime.toEpochMillis(DateTime.startOf(created, "month")),
      messages,
      days: { [DateTime.getPartUtc(created, "day")]: messages }
    }))
  },
  keyOf: ({ month, organizationId, participantId }) => `${organizationId} ${participantId} ${month}`,
  sum: (rows) => ({
    ...rows[0],
    messages: Number.sumAll(rows.map(({ messages }) => messages)),
    days: sumByName(rows.map(({ days }) => days))
  })
}
