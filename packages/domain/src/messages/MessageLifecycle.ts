import { DateTime, Duration } from "effect"
import { type Delivery, isAccepted, isOpen } from "./Delivery.js"
import { DeliveryOutcome, type RecipientReply } from "./DeliveryOutcome.js"
import type { ErrorDetails } from "./Message.js"
import { fail, move } from "./MessageMoves.js"
import type { MessageState } from "./MessageState.js"
import { canMove, isUndelivered } from "./MessageStatus.js"

/** How long a message may wait for its delivery before it ends as `failed` (`expired`). */
export const longestWait = Duration.hours(72)

/** When a message that is due since then ends, if nobody has it by then. */
export const expiresAt = (dueSince: DateTime.Utc): DateTime.Utc => DateTime.addDuration(dueSince, longestWait)

/** Whether a message that is due since then has waited longer than a message may. */
export const isExpired = (dueSince: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.greaterThanOrEqualTo(now, expiresAt(dueSince))

/** The outcome for a message that is due since then: no try is put off past its end, where it is ended instead. */
export const withinLongestWait = (outcome: DeliveryOutcome, dueSince: DateTime.Utc): DeliveryOutcome =>
  "retryAt" in outcome && outcome.retryAt !== null
    ? { ...outcome, retryAt: DateTime.min(outcome.retryAt, expiresAt(dueSince)) }
    : outcome

/** What a relay's 250 means: the final mailbox has it (`accept`), or a notification will tell (`dsn`, RFC 3461). */
export type Confirmation = "accept" | "dsn"

/** The state of a message that has just been accepted. */
export const accepted = (
  recipients: ReadonlyArray<string>,
  maxRetries: number,
  scheduled: boolean,
  now: DateTime.Utc
): MessageState => {
  const status = scheduled ? "scheduled" : "pending"
  const at = DateTime.formatIso(now)
  return {
    status,
    statusHistory: [{ status, timestamp: at }],
    deliveries: recipients.map((recipient) => ({ recipient, status: "pending", at })),
    provider: null,
    providerMessageId: null,
    providerStatus: null,
    providerResponse: null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    retryCount: 0,
    maxRetries,
    deliveryAttempts: 0,
    lastError: null,
    errorDetails: null,
    lastAttemptAt: null,
    updatedAt: now
  }
}

/** Its time came: `scheduled` becomes `pending`; whatever waited for a retry stays as it is. */
export const due = (state: MessageState, now: DateTime.Utc): MessageState =>
  state.status === "scheduled" ? move(state, "pending", now) : state

/**
 * A worker took it: the attempt counts from now on, before any work is done. A message that some recipients
 * already have keeps its status while the others are retried.
 */
export const taken = (state: MessageState, takeover: boolean, now: DateTime.Utc): MessageState => {
  const attempted = {
    ...state,
    deliveryAttempts: state.deliveryAttempts + 1,
    lastAttemptAt: now,
    updatedAt: now
  }
  if (!isUndelivered(state.status)) return attempted
  return takeover
    ? move(attempted, "processing", now, {
        reason: "taken over after its worker was lost",
        metadata: { possibleDuplicate: true }
      })
    : move(attempted, "processing", now)
}

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
      : reply.verdict === "refused"
        ? "bounced"
        : retryAt === null
          ? "failed"
          : "deferred",
  ...(reply.smtpCode === undefined ? {} : { smtpCode: reply.smtpCode }),
  ...(reply.response === undefined ? {} : { response: reply.response }),
  at: DateTime.formatIso(now)
})

const queueAgain = (
  state: MessageState,
  error: ErrorDetails,
  retryAt: DateTime.Utc,
  now: DateTime.Utc
): MessageState => {
  const waiting: MessageState = {
    ...state,
    lastError: error.message ?? null,
    errorDetails: { ...error, retryable: true, nextRetryAt: DateTime.formatIso(retryAt) },
    updatedAt: now
  }
  return canMove(state.status, "queued") ? move(waiting, "queued", now, { reason: error.code ?? "deferred" }) : waiting
}

const answered = (
  state: MessageState,
  outcome: Extract<DeliveryOutcome, { readonly _tag: "Answered" }>,
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
          code: failure.verdict === "refused" ? "recipient_refused" : "recipient_deferred",
          message: failure.response ?? "The recipient was not accepted",
          ...(failure.smtpCode === undefined ? {} : { details: { smtpCode: failure.smtpCode } }),
          retryable: false
        }
  const waiting = outcome.retryAt !== null && deliveries.some(({ status }) => status === "deferred")
  let next: MessageState = {
    ...state,
    deliveries,
    provider: "smtp",
    providerMessageId: outcome.providerMessageId ?? state.providerMessageId,
    providerStatus: anyAccepted ? "accepted" : state.providerStatus,
    providerResponse: outcome.response === null ? state.providerResponse : { response: outcome.response },
    lastError: error?.message ?? null,
    errorDetails: error,
    updatedAt: now
  }
  if (anyAccepted && canMove(next.status, "sent")) next = move(next, "sent", now)
  if (anyAccepted && confirmation === "accept" && canMove(next.status, "delivered")) next = move(next, "delivered", now)
  if (waiting && outcome.retryAt !== null) {
    return queueAgain({ ...next, retryCount: next.retryCount + 1 }, error ?? {}, outcome.retryAt, now)
  }
  if (deliveries.some(isAccepted)) return next
  return deliveries.some(({ status }) => status === "bounced")
    ? move(next, "bounced", now, { reason: "recipient_refused" })
    : fail(next, { ...error, code: "retries_exhausted" }, now)
}

/** How an attempt's end changes the message: the rules of the transition table, and nothing else. */
export const settled = (
  state: MessageState,
  outcome: DeliveryOutcome,
  confirmation: Confirmation,
  now: DateTime.Utc
): MessageState =>
  DeliveryOutcome.$match(outcome, {
    Answered: (answer) => answered(state, answer, confirmation, now),
    Refused: ({ response, smtpCode }) =>
      fail(
        { ...state, provider: "smtp", providerStatus: "refused" },
        { code: "message_refused", message: response, ...(smtpCode === null ? {} : { details: { smtpCode } }) },
        now
      ),
    Deferred: ({ code, response, retryAt, smtpCode }) => {
      const error = { message: response, ...(smtpCode === null ? {} : { details: { smtpCode } }) }
      return retryAt === null
        ? fail(state, { ...error, code: "retries_exhausted" }, now)
        : queueAgain({ ...state, retryCount: state.retryCount + 1 }, { ...error, code }, retryAt, now)
    },
    Outage: ({ response, retryAt }) =>
      queueAgain(state, { code: "relay_unavailable", message: response }, retryAt, now),
    Expired: () =>
      fail(state, { code: "expired", message: `Not delivered within ${Duration.toHours(longestWait)} hours` }, now),
    Poisoned: ({ takeovers }) =>
      fail(state, { code: "poisoned", message: `${takeovers} workers were lost while they held this message` }, now),
    HandedBack: () => {
      const untried = { ...state, deliveryAttempts: state.deliveryAttempts - 1, updatedAt: now }
      return canMove(state.status, "queued")
        ? move(untried, "queued", now, { reason: "handed back by a stopping worker" })
        : untried
    }
  })

/** When a settled message is to be taken again, `null` once it needs no more work. */
export const nextAttemptAt = (
  state: MessageState,
  outcome: DeliveryOutcome,
  now: DateTime.Utc
): DateTime.Utc | null => {
  if (!state.deliveries.some(isOpen)) return null
  if (outcome._tag === "HandedBack") return now
  return "retryAt" in outcome ? outcome.retryAt : null
}

/** The caller took a scheduled message back. */
export const cancelled = (state: MessageState, now: DateTime.Utc): MessageState =>
  fail(state, { code: "cancelled", message: "Cancelled before its time came" }, now)

/** A recipient reported the message as unwanted (RFC 5965). Whoever comes late or twice changes nothing. */
export const complained = (
  state: MessageState,
  recipient: string,
  now: DateTime.Utc,
  feedbackType?: string
): MessageState => {
  const known = state.deliveries.some((delivery) => delivery.recipient === recipient && isAccepted(delivery))
  if (!known) return state
  const deliveries = state.deliveries.map(
    (delivery): Delivery =>
      delivery.recipient === recipient && delivery.status !== "complained"
        ? { recipient, status: "complained", at: DateTime.formatIso(now) }
        : delivery
  )
  return canMove(state.status, "complained")
    ? move({ ...state, deliveries }, "complained", now, {
        reason: "reported by a recipient",
        metadata: { recipient, ...(feedbackType === undefined ? {} : { feedbackType }) }
      })
    : { ...state, deliveries }
}
