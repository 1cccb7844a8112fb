import { Array, DateTime, Order } from "effect"
import { DeliveryOutcome, outageCode, type RecipientReply, type UnattemptedRecipients } from "./DeliveryOutcome.js"
import { reasonOfReply } from "./FailureReason.js"

/** The outcome of one mail of an attempt, and its recipients. */
export interface PartialOutcome {
  readonly recipients: ReadonlyArray<string>
  readonly outcome: DeliveryOutcome
}

/** The error code of a mail that the relay deferred. */
export const deferredByRelay = "deferred"

/** The replies for the recipients of a mail; null if the outcome is not about its recipients. */
const repliesOf = ({ outcome, recipients }: PartialOutcome): ReadonlyArray<RecipientReply> | null => {
  if (outcome._tag === "Replied") return outcome.replies
  const isRefused = outcome._tag === "Refused"
  if (!isRefused && (outcome._tag !== "Deferred" || outcome.code !== deferredByRelay)) return null
  // A reply to one of several mails is about that mail's recipient.
  return recipients.map((recipient) => ({
    recipient,
    verdict: isRefused ? "refused" : "deferred",
    ...(outcome.smtpCode === null ? {} : { smtpCode: outcome.smtpCode }),
    response: outcome.response,
    ...(outcome._tag === "Deferred" && outcome.mayBeTaken === true ? { mayBeTaken: true } : {})
  }))
}

/** Whether the outcome would be the same for the remaining mails over its route: its cause is not a recipient. */
export const endsAttempt = (outcome: DeliveryOutcome): boolean => repliesOf({ outcome, recipients: [] }) === null

const restOf = (outcome: DeliveryOutcome): UnattemptedRecipients | null => {
  if (outcome._tag === "Outage") {
    return { at: outcome.retryAt, error: { code: outageCode(outcome), message: outcome.response } }
  }
  if (outcome._tag === "Postponed") return { at: outcome.retryAt, error: null }
  return outcome._tag === "Deferred" && outcome.retryAt !== null
    ? { at: outcome.retryAt, error: { code: outcome.code, message: outcome.response } }
    : null
}

const byRetry = Order.mapInput(Order.number, (outcome: DeliveryOutcome) =>
  "retryAt" in outcome && outcome.retryAt !== null ? DateTime.toEpochMillis(outcome.retryAt) : Number.POSITIVE_INFINITY
)

/** The outcome with the earliest retry; undefined if there is none. */
const earliest = (outcomes: ReadonlyArray<DeliveryOutcome>): DeliveryOutcome | undefined =>
  Array.isNonEmptyReadonlyArray(outcomes) ? Array.min(outcomes, byRetry) : undefined

/** The fields of the combined outcome that are those of one of the mails. */
const sharedFields = (outcomes: ReadonlyArray<DeliveryOutcome>) => {
  const taken = outcomes.find((outcome) => outcome._tag === "Replied" && outcome.response !== null)
  const provider = outcomes.flatMap((outcome) => ("provider" in outcome ? [outcome.provider] : []))[0]
  return {
    response: taken?._tag === "Replied" ? taken.response : null,
    providerMessageId: taken?._tag === "Replied" ? taken.providerMessageId : null,
    ...(provider === undefined ? {} : { provider })
  }
}

/**
 * The outcome for the recipients that servers accepted or refused while the attempt goes on with others; undefined if
 * there are none. Deferred recipients have the retry time of the complete attempt, so they are not part of it.
 */
export const progressOf = (parts: ReadonlyArray<PartialOutcome>): DeliveryOutcome | undefined => {
  const outcomes = parts.map(({ outcome }) => outcome)
  const replies = outcomes.flatMap((outcome) =>
    outcome._tag === "Replied" ? outcome.replies.filter(({ verdict }) => verdict !== "deferred") : []
  )
  if (replies.length === 0) return undefined
  return DeliveryOutcome.Replied({ replies, retryAt: null, isOngoing: true, ...sharedFields(outcomes) })
}

/** Whether all mails were refused for the same reason: the message is refused as a whole. */
const isRefusedAlike = (outcomes: ReadonlyArray<DeliveryOutcome>): boolean => {
  const reasons = new Set(outcomes.map((outcome) => (outcome._tag === "Refused" ? reasonOfReply(outcome) : null)))
  return reasons.size === 1 && !reasons.has(null)
}

/** The outcomes of an attempt that sent several mails. */
export interface AttemptResult {
  /** The recipients with an open delivery before the attempt. */
  readonly open: ReadonlyArray<string>
  /** The mails that were sent, in order. */
  readonly parts: ReadonlyArray<PartialOutcome>
  /** When the deferred recipients are retried. */
  readonly retryAt: DateTime.Utc | null
  /** When the recipients are attempted that the attempt had no time for. */
  readonly restAt: DateTime.Utc | null
}

/** Combines the outcomes of several mails to one. If they differ, the result has a reply for each recipient. */
export const combineOutcomes = ({ open, parts, restAt, retryAt }: AttemptResult): DeliveryOutcome => {
  const outcomes = parts.map(({ outcome }) => outcome)
  const replies = parts.flatMap((part) => repliesOf(part) ?? [])
  const end = earliest(outcomes.filter(endsAttempt))
  if (end !== undefined && replies.length === 0) return end
  const isSame = parts.length === 1 || isRefusedAlike(outcomes)
  const [first] = outcomes
  if (first !== undefined && isSame && replies.length === open.length) return first
  const rest = end === undefined ? (restAt === null ? null : { at: restAt, error: null }) : restOf(end)
  return DeliveryOutcome.Replied({ replies, retryAt, ...(rest === null ? {} : { rest }), ...sharedFields(outcomes) })
}
