import { DateTime } from "effect"
import { type Confirmation, smtpProvider } from "./delivery/Confirmation.js"
import { type Delivery, isAccepted, isOpen } from "./delivery/Delivery.js"
import type { DeliveryOutcome, RecipientReply } from "./delivery/DeliveryOutcome.js"
import { reasonOfReply } from "./delivery/FailureReason.js"
import type { ErrorDetails } from "./Message.js"
import { closeOpen, fail, move, requeue } from "./state/MessageMoves.js"
import type { MessageState } from "./state/MessageState.js"
import { canMove } from "./state/MessageStatus.js"

const deliveryAfter = (
  delivery: Delivery,
  reply: RecipientReply,
  confirmation: Confirmation,
  retryAt: DateTime.Utc | null,
  now: DateTime.Utc
): Delivery => ({
  recipient: delivery.recipient,
  status:
    reply.verdict === "accepted"
      ? confirmation === "accept"
        ? "delivered"
        : "sent"
      : reply.verdict === "refused" && confirmation !== "receipt"
        ? "bounced"
        : reply.verdict === "refused" || retryAt === null
          ? "failed"
          : "deferred",
  ...(reply.providerMessageIds === undefined ? {} : { providerMessageId: reply.providerMessageIds[0] }),
  ...(reply.errorCode === undefined ? {} : { errorCode: reply.errorCode }),
  ...(reply.smtpCode === undefined ? {} : { smtpCode: reply.smtpCode }),
  ...(reply.response === undefined ? {} : { response: reply.response }),
  ...(reply.verdict === "accepted" ? {} : { reason: reply.reason ?? reasonOfReply(reply) }),
  at: DateTime.formatIso(now)
})

type RepliedOutcome = Extract<DeliveryOutcome, { readonly _tag: "Replied" }>

/**
 * The next attempt of a message, null if none is left. Recipients that the attempt did not reach come first, and that
 * attempt is not counted as a retry. Deferred recipients wait for `retryAt`.
 */
export const nextRetry = (
  { replies, rest, retryAt }: Pick<RepliedOutcome, "replies" | "rest" | "retryAt">,
  deliveries: ReadonlyArray<Delivery>
): { readonly at: DateTime.Utc; readonly error: ErrorDetails | null; readonly isRetry: boolean } | null => {
  if (!deliveries.some(isOpen)) return null
  const forRest = rest === undefined ? null : { ...rest, isRetry: false }
  if (forRest !== null && deliveries.some(({ status }) => status === "pending")) return forRest
  const hasDeferred = forRest === null || replies.some(({ verdict }) => verdict === "deferred")
  return retryAt !== null && hasDeferred ? { at: retryAt, error: null, isRetry: true } : forRest
}

const notAccepted = "The recipient was not accepted"

/** The error of a message whose deferred recipients were not part of this attempt. */
const deferralError = (deliveries: ReadonlyArray<Delivery>): ErrorDetails => ({
  code: "recipient_deferred",
  message: deliveries.find(({ status }) => status === "deferred")?.response ?? notAccepted
})

/** Applies the replies of the remote servers to a message. */
export const applyReplies = (
  state: MessageState,
  outcome: RepliedOutcome,
  confirmation: Confirmation,
  now: DateTime.Utc
): MessageState => {
  const replies = new Map(outcome.replies.map((reply) => [reply.recipient, reply]))
  const deliveries = state.deliveries.map((delivery) => {
    const reply = replies.get(delivery.recipient)
    return reply !== undefined && isOpen(delivery)
      ? deliveryAfter(delivery, reply, confirmation, outcome.retryAt, now)
      : delivery
  })
  const failure = outcome.replies.find(({ verdict }) => verdict !== "accepted")
  const anyAccepted = outcome.replies.some(({ verdict }) => verdict === "accepted")
  const error: ErrorDetails | null =
    failure === undefined
      ? null
      : {
          code: failure.code ?? (failure.verdict === "refused" ? "recipient_refused" : "recipient_deferred"),
          message: failure.response ?? notAccepted,
          details: {
            ...(failure.smtpCode === undefined ? {} : { smtpCode: failure.smtpCode }),
            ...(failure.errorCode === undefined ? {} : { errorCode: failure.errorCode }),
            reason: failure.reason ?? reasonOfReply(failure)
          },
          retryable: false
        }
  let next: MessageState = {
    ...state,
    deliveries,
    provider: outcome.provider ?? smtpProvider,
    providerMessageId: outcome.providerMessageId ?? state.providerMessageId,
    providerStatus: anyAccepted ? "accepted" : state.providerStatus,
    providerResponse: outcome.response === null ? state.providerResponse : { response: outcome.response },
    lastError: error?.message ?? null,
    errorDetails: error,
    updatedAt: now
  }
  if (anyAccepted && canMove(next.status, "sent")) next = move(next, "sent", now)
  if (anyAccepted && confirmation === "accept" && canMove(next.status, "delivered")) next = move(next, "delivered", now)
  if (outcome.isOngoing === true) return next
  const again = nextRetry(outcome, deliveries)
  if (again !== null) {
    const problem = again.error ?? error ?? (again.isRetry ? deferralError(deliveries) : null)
    // Without an error, a message that some recipients have keeps its status.
    if (problem === null && !canMove(next.status, "queued")) return next
    return requeue(
      again.isRetry ? { ...next, retryCount: next.retryCount + 1 } : next,
      problem ?? { code: "recipients_left" },
      again.at,
      now,
      outcome.replies.some(({ mayBeTaken }) => mayBeTaken === true)
    )
  }
  next = { ...next, deliveries: closeOpen(deliveries, "failed", now) }
  if (deliveries.some(isAccepted)) return next
  if (deliveries.some(({ status }) => status === "bounced")) {
    return move(next, "bounced", now, { reason: "recipient_refused" })
  }
  const isRefused = confirmation === "receipt" && failure?.verdict === "refused"
  return fail(next, { ...error, code: failure?.code ?? (isRefused ? "recipient_refused" : "retries_exhausted") }, now)
}
