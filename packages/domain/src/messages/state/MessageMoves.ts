import { DateTime } from "effect"
import { type Delivery, type DeliveryStatus, isAccepted, isOpen } from "../delivery/Delivery.js"
import type { FailureReason } from "../delivery/FailureReason.js"
import type { ErrorDetails, StatusEntry } from "../Message.js"
import type { MessageState } from "./MessageState.js"
import { canMove, isUndelivered, isUnsuccessful, type MessageStatus } from "./MessageStatus.js"

/**
 * Moves a message to a status: adds a history entry, and sets the time of the status. A forbidden transition is a
 * defect.
 */
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
    failedAt: isUnsuccessful(to) ? now : state.failedAt,
    updatedAt: now
  }
}

/** Adds a history entry without changing the status. */
export const note = (
  state: MessageState,
  now: DateTime.Utc,
  entry: Omit<StatusEntry, "status" | "timestamp">
): MessageState => ({
  ...state,
  statusHistory: [...state.statusHistory, { status: state.status, timestamp: DateTime.formatIso(now), ...entry }]
})

/** Sets the status of all open deliveries. */
export const closeOpen = (
  deliveries: ReadonlyArray<Delivery>,
  status: DeliveryStatus,
  now: DateTime.Utc,
  reason?: FailureReason
): ReadonlyArray<Delivery> =>
  deliveries.map((delivery) =>
    isOpen(delivery)
      ? {
          recipient: delivery.recipient,
          status,
          ...(reason === undefined ? {} : { reason }),
          at: DateTime.formatIso(now)
        }
      : delivery
  )

/**
 * Ends all open deliveries as failed. A message that some recipients have keeps its status; it moves to `bounced` if no
 * delivery is accepted any more.
 */
export const fail = (
  state: MessageState,
  { reason, ...error }: ErrorDetails & { readonly reason?: FailureReason },
  now: DateTime.Utc
): MessageState => {
  const details = reason === undefined ? error.details : { ...error.details, reason }
  const ended: MessageState = {
    ...state,
    deliveries: closeOpen(state.deliveries, "failed", now, reason),
    lastError: error.message ?? null,
    errorDetails: { ...error, ...(details === undefined ? {} : { details }), retryable: false },
    updatedAt: now
  }
  const note = { reason: error.code ?? "failed" }
  if (isUndelivered(state.status)) return move(ended, "failed", now, note)
  return canMove(state.status, "bounced") && !ended.deliveries.some(isAccepted)
    ? move(ended, "bounced", now, note)
    : ended
}

/** The metadata of a history entry after which a recipient may get a second copy. */
export const possibleDuplicate = { metadata: { possibleDuplicate: true } } as const

/**
 * Queues a message for its next attempt. The history notes whether that attempt may send a second copy. A message that
 * some recipients have keeps its status.
 */
export const requeue = (
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
