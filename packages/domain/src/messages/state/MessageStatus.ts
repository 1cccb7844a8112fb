import { choice } from "../../Choice.js"

/** Where a message stands. */
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

/** Every allowed transition. `processing` to itself is a repeated attempt: the lease of the one before ended without a result. */
const moves: { readonly [From in MessageStatus]: ReadonlyArray<MessageStatus> } = {
  scheduled: ["pending", "failed"],
  pending: ["processing", "failed"],
  queued: ["processing", "failed"],
  processing: ["processing", "sent", "queued", "bounced", "failed"],
  sent: ["delivered", "read", "bounced", "complained"],
  delivered: ["read", "bounced", "complained"],
  read: ["complained"],
  failed: [],
  bounced: [],
  complained: []
}

/** Whether a message may go from one status to the other. */
export const canMove = (from: MessageStatus, to: MessageStatus): boolean => moves[from].includes(to)

/** Whether the relay has not yet taken the message for anyone. */
export const isUndelivered = (status: MessageStatus): boolean =>
  status === "scheduled" || status === "pending" || status === "queued" || status === "processing"
