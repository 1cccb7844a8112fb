import { choice } from "../../Fields.js"

/** The status of a message. */
export const MessageStatus = choice(
  "pending",
  "scheduled",
  "queued",
  "processing",
  "sent",
  "delivered",
  "read",
  "failed",
  "bounced",
  "complained"
).annotations({ identifier: "MessageStatus" })
export type MessageStatus = typeof MessageStatus.Type

/**
 * The allowed transitions. `processing` to `processing` is a repeated attempt: the lease of the previous one expired.
 */
const moves: { readonly [From in MessageStatus]: ReadonlyArray<MessageStatus> } = {
  scheduled: ["pending", "failed"],
  pending: ["processing", "failed"],
  queued: ["processing", "failed"],
  processing: ["processing", "sent", "queued", "bounced", "failed"],
  // Only a receipt of a text message moves it from `sent` to `failed`; an e-mail bounces.
  sent: ["delivered", "read", "bounced", "complained", "failed"],
  delivered: ["read", "bounced", "complained"],
  read: ["complained"],
  failed: [],
  bounced: [],
  complained: []
}

/** Whether the transition is allowed. */
export const canMove = (from: MessageStatus, to: MessageStatus): boolean => moves[from].includes(to)

/** The statuses of a message that the relay has not accepted for any recipient; all others are final for the queue. */
export const undeliveredStatuses = [
  "scheduled",
  "pending",
  "queued",
  "processing"
] as const satisfies ReadonlyArray<MessageStatus>

/** Whether the relay has not accepted the message for any recipient. */
export const isUndelivered = (status: MessageStatus): boolean => undeliveredStatuses.some((one) => one === status)

/** The statuses of a message that reaches no recipient: the same content is sent again. */
export const unsuccessfulStatuses = ["failed", "bounced"] as const satisfies ReadonlyArray<MessageStatus>

/** Whether the message reaches no recipient. */
export const isUnsuccessful = (status: MessageStatus): boolean => unsuccessfulStatuses.some((one) => one === status)
