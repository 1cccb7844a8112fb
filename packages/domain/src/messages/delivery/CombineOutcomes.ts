import type { DateTime } from "effect"
import { DeliveryOutcome, outageCode, type RecipientReply, type UntriedRest } from "./DeliveryOutcome.js"

/** How a mail to some of a message's recipients ended. */
export interface PartialOutcome {
  readonly recipients: ReadonlyArray<string>
  readonly outcome: DeliveryOutcome
}

/** The code of a mail that the relay itself put off. */
export const putOffByRelay = "deferred"

/** What a mail's end says of its recipients; null if it says nothing of them. */
const repliesOf = ({ outcome, recipients }: PartialOutcome): ReadonlyArray<RecipientReply> | null => {
  if (outcome._tag === "Answered") return outcome.replies
  const isRefused = outcome._tag === "Refused"
  if (!isRefused && (outcome._tag !== "Deferred" || outcome.code !== putOffByRelay)) return null
  // What a relay says of one mail and not of the others is about its recipient.
  return recipients.map((recipient) => ({
    recipient,
    verdict: isRefused ? "refused" : "deferred",
    ...(outcome.smtpCode === null ? {} : { smtpCode: outcome.smtpCode }),
    response: outcome.response,
    ...(outcome._tag === "Deferred" && outcome.mayBeTaken === true ? { mayBeTaken: true } : {})
  }))
}

/** Whether the mails that are left would end as this one did: what ended it says nothing of its recipients. */
export const endsAttempt = (outcome: DeliveryOutcome): boolean => repliesOf({ outcome, recipients: [] }) === null

const restOf = (outcome: DeliveryOutcome): UntriedRest | null => {
  if (outcome._tag === "Outage") {
    return { at: outcome.retryAt, error: { code: outageCode(outcome), message: outcome.response } }
  }
  return outcome._tag === "Deferred" && outcome.retryAt !== null
    ? { at: outcome.retryAt, error: { code: outcome.code, message: outcome.response } }
    : null
}

/** What an attempt came to that sends several mails. */
export interface Attempted {
  /** Everyone who had not got the message before. */
  readonly open: ReadonlyArray<string>
  /** The mails of the attempt, in their order. */
  readonly parts: ReadonlyArray<PartialOutcome>
  /** When those who were put off are tried again. */
  readonly retryAt: DateTime.Utc | null
  /** When those are tried for whom the attempt had no time. */
  readonly restAt: DateTime.Utc | null
}

/** The one end of an attempt: as far as mails ended differently, of each recipient what became of theirs. */
export const combined = ({ open, parts, restAt, retryAt }: Attempted): DeliveryOutcome => {
  const outcomes = parts.map(({ outcome }) => outcome)
  const replies = parts.flatMap((part) => repliesOf(part) ?? [])
  const last = outcomes.at(-1)
  if (last !== undefined && endsAttempt(last) && replies.length === 0) return last
  const isWhole = parts.length === 1 || outcomes.every(({ _tag }) => _tag === "Refused")
  const [first] = outcomes
  if (first !== undefined && isWhole && replies.length === open.length) return first
  const taken = outcomes.find((outcome) => outcome._tag === "Answered" && outcome.response !== null)
  const rest =
    last !== undefined && endsAttempt(last) ? restOf(last) : restAt === null ? null : { at: restAt, error: null }
  return DeliveryOutcome.Answered({
    replies,
    response: taken?._tag === "Answered" ? taken.response : null,
    providerMessageId: taken?._tag === "Answered" ? taken.providerMessageId : null,
    retryAt,
    ...(rest === null ? {} : { rest })
  })
}
