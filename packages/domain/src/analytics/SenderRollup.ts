import { Number } from "effect"
import type { SenderOutcomes } from "../email/senders/EmailSender.js"
import type { EventType } from "../events/EventType.js"
import type { MessageStatus } from "../messages/state/MessageStatus.js"
import type { OrganizationId } from "../organizations/Organization.js"
import type { ParticipantId } from "../participants/Participant.js"
import { dayMillis, floorTo } from "./DateRange.js"
import { type Rollup, statusAfter } from "./Rollup.js"

/** The present outcomes of the messages that a sender had accepted on a day. */
export interface SenderRow extends SenderOutcomes {
  readonly organizationId: OrganizationId
  readonly senderId: ParticipantId
  /** The start of the day in UTC, in milliseconds since 1970. */
  readonly day: number
}

const outcomes: Partial<Record<MessageStatus, SenderOutcomes>> = {
  sent: { sent: 1, bounced: 0, complained: 0 },
  delivered: { sent: 1, bounced: 0, complained: 0 },
  read: { sent: 1, bounced: 0, complained: 0 },
  bounced: { sent: 1, bounced: 1, complained: 0 },
  complained: { sent: 1, bounced: 0, complained: 1 }
}
const noOutcomes: SenderOutcomes = { sent: 0, bounced: 0, complained: 0 }

const outcomesOf = (status: MessageStatus | null | undefined) =>
  status ? (outcomes[status] ?? noOutcomes) : noOutcomes

/** What an event changes in the outcomes, given the status of the message before it. */
export const addedOutcomes = (statusBefore: MessageStatus | null, type: EventType): SenderOutcomes => {
  const before = outcomesOf(statusBefore)
  const after = outcomesOf(statusAfter[type])
  return {
    sent: after.sent - before.sent,
    bounced: after.bounced - before.bounced,
    complained: after.complained - before.complained
  }
}

/** The sum of outcomes. */
export const sumOfOutcomes = (rows: ReadonlyArray<SenderOutcomes>): SenderOutcomes => ({
  sent: Number.sumAll(rows.map(({ sent }) => sent)),
  bounced: Number.sumAll(rows.map(({ bounced }) => bounced)),
  complained: Number.sumAll(rows.map(({ complained }) => complained))
})

/** Outcomes by sender and day of acceptance. Tests are counted too. Deleting a message does not change them. */
export const senderRollup: Rollup<SenderRow> = {
  types: ["message.sent", "message.delivered", "message.read", "message.bounced", "message.complained"],
  contributions: ({ message, organizationId, statusBefore, type }) => {
    if (message === null || message.direction === "inbound") return []
    const day = floorTo(dayMillis, message.createdAt)
    return [{ organizationId, senderId: message.fromParticipantId, day, ...addedOutcomes(statusBefore, type) }]
  },
  keyOf: ({ day, organizationId, senderId }) => `${organizationId} ${senderId} ${day}`,
  sum: (rows) => ({ ...rows[0], ...sumOfOutcomes(rows) })
}
