import { DateTime, Duration } from "effect"
import { answered, nextTry } from "../Answered.js"
import type { Confirmation } from "../delivery/Confirmation.js"
import { type Delivery, isAccepted, isOpen } from "../delivery/Delivery.js"
import { DeliveryOutcome, outageCode } from "../delivery/DeliveryOutcome.js"
import { fail, move, note, possibleDuplicate, queueAgain } from "./MessageMoves.js"
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
export const withinLongestWait = (outcome: DeliveryOutcome, dueSince: DateTime.Utc): DeliveryOutcome => {
  const within = (at: DateTime.Utc) => DateTime.min(at, expiresAt(dueSince))
  const bounded =
    "retryAt" in outcome && outcome.retryAt !== null ? { ...outcome, retryAt: within(outcome.retryAt) } : outcome
  return bounded._tag === "Answered" && bounded.rest !== undefined
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

/** The note on a repeated attempt: a recipient may get the mail twice. */
const repeat = {
  reason: "taken again: its lease ended before the result of the attempt was stored",
  ...possibleDuplicate
}

/**
 * A worker took it: the attempt counts from now on, before any work is done. A message that some recipients already
 * have keeps its status while the others are retried. A message that comes back from a worker that did not begin its
 * attempt stays as it is: that attempt counts already.
 */
export const taken = (state: MessageState, isRepeat: boolean, now: DateTime.Utc): MessageState => {
  if (state.status === "processing" && !isRepeat) return state
  const attempted = {
    ...state,
    deliveryAttempts: state.deliveryAttempts + 1,
    lastAttemptAt: now,
    updatedAt: now
  }
  if (isUndelivered(state.status)) return move(attempted, "processing", now, isRepeat ? repeat : {})
  return isRepeat && state.deliveries.some(isOpen) ? note(attempted, now, repeat) : attempted
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
    Deferred: ({ code, mayBeTaken, response, retryAt, smtpCode }) => {
      const error = { message: response, ...(smtpCode === null ? {} : { details: { smtpCode } }) }
      return retryAt === null
        ? fail(state, { ...error, code: "retries_exhausted" }, now)
        : queueAgain({ ...state, retryCount: state.retryCount + 1 }, { ...error, code }, retryAt, now, mayBeTaken)
    },
    Outage: (outage) => queueAgain(state, { code: outageCode(outage), message: outage.response }, outage.retryAt, now),
    Expired: () =>
      fail(state, { code: "expired", message: `Not delivered within ${Duration.toHours(longestWait)} hours` }, now),
    Poisoned: ({ takeovers }) =>
      fail(state, { code: "poisoned", message: `Its lease ended ${takeovers} times during an attempt` }, now),
    HandedBack: () => {
      const untried = { ...state, deliveryAttempts: state.deliveryAttempts - 1, updatedAt: now }
      return canMove(state.status, "queued")
        ? move(untried, "queued", now, { reason: "released before an attempt was made" })
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
  if (outcome._tag === "Answered") return nextTry(outcome, state.deliveries)?.at ?? null
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
