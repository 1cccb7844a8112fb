import { DateTime } from "effect"
import { type Delivery, type DeliveryStatus, isAccepted, isOpen } from "../delivery/Delivery.js"
import type { ErrorDetails, StatusEntry } from "../Message.js"
import type { MessageState } from "./MessageState.js"
import { canMove, type MessageStatus } from "./MessageStatus.js"

/** The state after a move: the entry in the history, and the time that goes with the status. A forbidden move is a defect. */
export const move = (
  state: MessageState,
  to: MessageStatus,
  now: DateTime.Utc,
  note: Omit<StatusEntry, "status" | "timestamp"> = {}
): MessageState => {
  if (!canMove(state.status, to)) throw new Error(`A message can't go from ${state.status} to ${to}`)
  return {
    ...state,
    status: to,
    statusHistory: [...state.statusHistory, { status: to, timestamp: DateTime.formatIso(now), ...note }],
    sentAt: to === "sent" ? now : state.sentAt,
    deliveredAt: to === "delivered" ? now : state.deliveredAt,
    readAt: to === "read" ? now : state.readAt,
    failedAt: to === "failed" || to === "bounced" ? now : state.failedAt,
    updatedAt: now
  }
}

/** The state with an entry in its history that moves nothing. */
export const note = (
  state: MessageState,
  now: DateTime.Utc,
  given: Omit<StatusEntry, "status" | "timestamp">
): MessageState => ({
  ...state,
  statusHistory: [...state.statusHistory, { status: state.status, timestamp: DateTime.formatIso(now), ...given }]
})

/** What is still open comes to this. */
export const closeOpen = (
  deliveries: ReadonlyArray<Delivery>,
  status: DeliveryStatus,
  now: DateTime.Utc
): ReadonlyArray<Delivery> =>
  deliveries.map((delivery) =>
    isOpen(delivery) ? { recipient: delivery.recipient, status, at: DateTime.formatIso(now) } : delivery
  )

/**
 * Ends what is still open. A message that some recipients already have keeps its status; one that came back from all who
 * had it has bounced.
 */
export const fail = (state: MessageState, error: ErrorDetails, now: DateTime.Utc): MessageState => {
  const ended: MessageState = {
    ...state,
    deliveries: closeOpen(state.deliveries, "failed", now),
    lastError: error.message ?? null,
    errorDetails: { ...error, retryable: false },
    updatedAt: now
  }
  const note = { reason: error.code ?? "failed" }
  if (canMove(state.status, "failed")) return move(ended, "failed", now, note)
  return canMove(state.status, "bounced") && !ended.deliveries.some(isAccepted)
    ? move(ended, "bounced", now, note)
    : ended
}

/** Marks an entry of the history after which a recipient may get a second copy. */
export const possibleDuplicate = { metadata: { possibleDuplicate: true } } as const

/**
 * Waits for its next try, of which the history says where it may be a second copy. A message that some recipients
 * already have keeps its status.
 */
export const queueAgain = (
  state: MessageState,
  error: ErrorDetails,
  retryAt: DateTime.Utc,
  now: DateTime.Utc,
  mayBeTaken = false
): MessageState => {
  const entry = { reason: error.code ?? "deferred", ...(mayBeTaken ? possibleDuplicate : {}) }
  const waiting: MessageState = {
    ...state,
    lastError: error.message ?? null,
    errorDetails: { ...error, retryable: true, nextRetryAt: DateTime.formatIso(retryAt) },
    updatedAt: now
  }
  if (canMove(state.status, "queued")) return move(waiting, "queued", now, entry)
  return mayBeTaken ? note(waiting, now, entry) : waiting
}
