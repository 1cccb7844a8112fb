import { DateTime, Duration } from "effect"
import { applyReplies, nextRetry } from "../ApplyReplies.js"
import { type Confirmation, smtpProvider } from "../delivery/Confirmation.js"
import { type Delivery, isAccepted, isOpen } from "../delivery/Delivery.js"
import { DeliveryOutcome, outageCode } from "../delivery/DeliveryOutcome.js"
import { isAboutRecipient, reasonOfReply } from "../delivery/FailureReason.js"
import type { MessageId } from "../Message.js"
import { fail, move, note, possibleDuplicate, requeue } from "./MessageMoves.js"
import type { MessageState } from "./MessageState.js"
import { canMove, isUndelivered } from "./MessageStatus.js"

/** How long a message is attempted before it fails with the code `expired` (RFC 5321 section 4.5.4.1). */
export const maxQueueLifetime = Duration.hours(72)

/** The end of the queue lifetime of a message that became due at `dueSince`. */
export const expiresAt = (dueSince: DateTime.Utc): DateTime.Utc => DateTime.addDuration(dueSince, maxQueueLifetime)

/** Whether the queue lifetime of a message that became due at `dueSince` is over. */
export const isExpired = (dueSince: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.greaterThanOrEqualTo(now, expiresAt(dueSince))

/** The age that older messages get when a pause ends: a day of their lifetime is left. */
export const ageAfterPause = Duration.hours(48)

/** Messages from this age get `ageAfterPause`: a message that has it is not found again. */
export const minAgeAfterPause = Duration.sum(ageAfterPause, Duration.hours(1))

/** Moves retries after the end of the queue lifetime to its end, where the message expires. */
export const withinQueueLifetime = (outcome: DeliveryOutcome, dueSince: DateTime.Utc): DeliveryOutcome => {
  const within = (at: DateTime.Utc) => DateTime.min(at, expiresAt(dueSince))
  const bounded =
    "retryAt" in outcome && outcome.retryAt !== null ? { ...outcome, retryAt: within(outcome.retryAt) } : outcome
  return bounded._tag === "Replied" && bounded.rest !== undefined
    ? { ...bounded, rest: { ...bounded.rest, at: within(bounded.rest.at) } }
    : bounded
}

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
    clicks: [],
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

/** Marks a scheduled message as due; the status of a retry does not change. */
export const due = (state: MessageState, now: DateTime.Utc): MessageState =>
  state.status === "scheduled" ? move(state, "pending", now) : state

/** The history entry of a repeated attempt: a recipient may get a second copy. */
const repeatedAttempt = {
  reason: "taken again: its lease ended before the result of the attempt was stored",
  ...possibleDuplicate
}

/**
 * Marks a message as taken by a worker, unless it is marked already with this time. A message that some recipients have
 * keeps its status while the others are retried. If the previous worker did not begin its attempt, a marked message does
 * not change: that attempt is counted already. A repeat counts an attempt that was lost before it was marked.
 */
export const taken = (state: MessageState, isRepeat: boolean, at: DateTime.Utc): MessageState => {
  const { lastAttemptAt, status } = state
  const isWaiting = status === "pending" || status === "queued"
  const isMarked = !isWaiting && lastAttemptAt !== null && DateTime.Equivalence(lastAttemptAt, at)
  if (isMarked || (status === "processing" && !isRepeat)) return state
  const attempted = {
    ...state,
    deliveryAttempts: state.deliveryAttempts + (isWaiting && isRepeat ? 2 : 1),
    lastAttemptAt: at,
    updatedAt: at
  }
  if (isUndelivered(status)) return move(attempted, "processing", at, isRepeat ? repeatedAttempt : {})
  return isRepeat && state.deliveries.some(isOpen) ? note(attempted, at, repeatedAttempt) : attempted
}

/**
 * Applies the refusal of a message. With one recipient, a refusal about the recipient is that of the recipient: some
 * servers check recipients after the data.
 */
const refused = (
  state: MessageState,
  { provider = smtpProvider, response, smtpCode }: Extract<DeliveryOutcome, { readonly _tag: "Refused" }>,
  confirmation: Confirmation,
  now: DateTime.Utc
): MessageState => {
  const reason = reasonOfReply({ smtpCode, response })
  const [only, ...others] = state.deliveries
  if (only !== undefined && others.length === 0 && isAboutRecipient(reason)) {
    const reply = {
      recipient: only.recipient,
      verdict: "refused",
      ...(smtpCode === null ? {} : { smtpCode }),
      response
    } as const
    return applyReplies(
      state,
      DeliveryOutcome.Replied({ replies: [reply], response: null, providerMessageId: null, retryAt: null, provider }),
      confirmation,
      now
    )
  }
  return fail(
    { ...state, provider, providerStatus: "refused" },
    {
      code: "message_refused",
      message: response,
      ...(smtpCode === null ? {} : { details: { smtpCode } }),
      reason
    },
    now
  )
}

/** Applies the outcome of an attempt, by the transition table. */
export const settled = (
  state: MessageState,
  outcome: DeliveryOutcome,
  confirmation: Confirmation,
  now: DateTime.Utc
): MessageState =>
  DeliveryOutcome.$match(outcome, {
    Replied: (replied) => applyReplies(state, replied, confirmation, now),
    Refused: (refusal) => refused(state, refusal, confirmation, now),
    Deferred: ({ code, mayBeTaken, response, retryAt, smtpCode }) => {
      const reason = reasonOfReply({ smtpCode, response })
      const error = { message: response, details: { ...(smtpCode === null ? {} : { smtpCode }), reason } }
      return retryAt === null
        ? fail(state, { ...error, code: "retries_exhausted", reason }, now)
        : requeue({ ...state, retryCount: state.retryCount + 1 }, { ...error, code }, retryAt, now, mayBeTaken)
    },
    Outage: (outage) => requeue(state, { code: outageCode(outage), message: outage.response }, outage.retryAt, now),
    Expired: () =>
      fail(
        state,
        {
          code: "expired",
          message: `Not delivered within ${Duration.toHours(maxQueueLifetime)} hours`,
          reason: "expired"
        },
        now
      ),
    Restored: () =>
      fail(
        state,
        {
          code: "restored",
          message: "The database was restored from a backup: the message may have been sent after it"
        },
        now
      ),
    Poisoned: ({ leaseExpiries }) =>
      fail(state, { code: "poisoned", message: `Its lease expired ${leaseExpiries} times during an attempt` }, now),
    Released: () => {
      const untried = { ...state, deliveryAttempts: state.deliveryAttempts - 1, updatedAt: now }
      return canMove(state.status, "queued")
        ? move(untried, "queued", now, { reason: "released before an attempt was made" })
        : untried
    },
    Postponed: () => state
  })

/** The time of the next attempt of a settled message; null if none is needed. */
export const nextAttemptAt = (
  state: MessageState,
  outcome: DeliveryOutcome,
  now: DateTime.Utc
): DateTime.Utc | null => {
  if (!state.deliveries.some(isOpen)) return null
  if (outcome._tag === "Released") return now
  if (outcome._tag === "Replied") return nextRetry(outcome, state.deliveries)?.at ?? null
  return "retryAt" in outcome ? outcome.retryAt : null
}

/** Cancels a scheduled message. */
export const cancelled = (state: MessageState, now: DateTime.Utc): MessageState =>
  fail(state, { code: "cancelled", message: "Cancelled before its time came" }, now)

/** Records the message that a failed message was sent again as: no status changes. */
export const resent = (state: MessageState, as: MessageId, now: DateTime.Utc): MessageState =>
  state.status !== "failed" || state.errorDetails?.details?.resentAs === as
    ? state
    : {
        ...state,
        errorDetails: { ...state.errorDetails, details: { ...state.errorDetails?.details, resentAs: as } },
        updatedAt: now
      }

/** Records a recipient's complaint (RFC 5965). A repeated or unmatched complaint changes nothing. */
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
