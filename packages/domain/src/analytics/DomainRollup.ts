import type { SenderOutcomes } from "../email/senders/EmailSender.js"
import type { OrganizationId } from "../organizations/Organization.js"
import { floorTo, quarterMillis } from "./DateRange.js"
import type { Rollup } from "./Rollup.js"
import { addedOutcomes, sumOfOutcomes } from "./SenderRollup.js"

/** The present outcomes of the messages that were sent from a domain in a quarter hour. */
export interface DomainRow extends SenderOutcomes {
  readonly organizationId: OrganizationId
  /** Lower case. */
  readonly domain: string
  /** The start of the quarter hour, in milliseconds since 1970. */
  readonly quarter: number
}

/**
 * Outcomes by domain of the sender and quarter hour in which the message was sent, or refused. Tests are not counted.
 * Deleting a message does not change them.
 */
export const domainRollup: Rollup<DomainRow> = {
  types: ["message.sent", "message.delivered", "message.read", "message.bounced", "message.complained"],
  contributions: ({ at, message, organizationId, statusBefore, type }) => {
    if (message === null || message.domain === null) return []
    const added = addedOutcomes(statusBefore, type)
    // Most receipts change no outcome.
    if (added.sent === 0 && added.bounced === 0 && added.complained === 0) return []
    const sentAt = added.sent === 0 ? (message.sentAt ?? at) : at
    return [{ organizationId, domain: message.domain, quarter: floorTo(quarterMillis, sentAt), ...added }]
  },
  keyOf: ({ domain, organizationId, quarter }) => `${organizationId} ${domain} ${quarter}`,
  sum: (rows) => ({ ...rows[0], ...sumOfOutcomes(rows) })
}
