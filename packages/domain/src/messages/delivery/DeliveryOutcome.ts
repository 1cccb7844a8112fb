import { Data, type DateTime } from "effect"
import type { FailureReason } from "./FailureReason.js"

/** The provider's reply for one recipient. For SMTP (RFC 5321 section 4.2): 2yz accepted, 4yz deferred, 5yz refused. */
export interface RecipientReply {
  readonly recipient: string
  readonly verdict: "accepted" | "deferred" | "refused"
  readonly smtpCode?: number | undefined
  readonly response?: string | undefined
  /** The provider's code of an error that is not SMTP. */
  readonly errorCode?: string | undefined
  /** The error code of the message if it fails with this reply; default: `recipient_refused` or `recipient_deferred`. */
  readonly code?: string | undefined
  /** The provider's ids of the message to this recipient, one for each segment of a text. */
  readonly providerMessageIds?: ReadonlyArray<string> | undefined
  /** Why the recipient was not accepted; left out if the text of the reply has to be classified. */
  readonly reason?: FailureReason | undefined
  /** The relay may have accepted the mail although the recipient counts as deferred. */
  readonly mayBeTaken?: boolean
}

/** Recipients that an attempt did not reach: when to attempt them, and the error that prevented it, if any. */
export interface UnattemptedRecipients {
  readonly at: DateTime.Utc
  readonly error: { readonly code: string; readonly message: string } | null
}

/** The outcome of one attempt to deliver a message: a closed set. */
export type DeliveryOutcome = Data.TaggedEnum<{
  /** The relay responded; each recipient that the attempt reached has a reply. */
  Replied: {
    readonly replies: ReadonlyArray<RecipientReply>
    readonly response: string | null
    readonly providerMessageId: string | null
    /** When the deferred recipients are retried; null if no retry is left. */
    readonly retryAt: DateTime.Utc | null
    /** Left out if the attempt reached all its recipients. */
    readonly rest?: UnattemptedRecipients
    /** The attempt goes on with other recipients: they stay as they are, and the error of the message is not final. */
    readonly isOngoing?: boolean
    /** The name of the provider, if the channel has several. */
    readonly provider?: string
  }
  /** The message was rejected for all recipients (5yz at MAIL or DATA). */
  Refused: { readonly smtpCode: number | null; readonly response: string; readonly provider?: string }
  /** The message was deferred for all recipients (4yz at MAIL or DATA, a lost connection, a defect of the service). */
  Deferred: {
    readonly code: string
    readonly smtpCode: number | null
    readonly response: string
    readonly retryAt: DateTime.Utc | null
    /** The relay received the complete mail but its reply was lost: a retry may send a second copy. */
    readonly mayBeTaken?: boolean
  }
  /** The relay, or a dependency of the attempt, is unavailable: not counted as a retry. */
  Outage: {
    /** Default: `relay_unavailable`. */
    readonly code?: string
    readonly response: string
    readonly retryAt: DateTime.Utc
  }
  /** The message exceeded `maxQueueLifetime`. */
  Expired: object
  /** The database was restored, and the message was due before the time that the operator named. */
  Restored: object
  /** Too many attempts ended without an outcome, the last ones while no other entry was attempted. */
  Poisoned: { readonly leaseExpiries: number }
  /** Nothing was sent: the worker stops, or its lease had expired. */
  Released: object
  /** Nothing was sent: the servers of the recipients have as many mails in progress as they get. No attempt is counted. */
  Postponed: { readonly retryAt: DateTime.Utc }
}>

export const DeliveryOutcome = Data.taggedEnum<DeliveryOutcome>()

const unstorable = "The reply can't be stored"

/** The outcome without the text of the relay's replies. */
export const withoutReplies = (outcome: DeliveryOutcome): DeliveryOutcome => {
  if (outcome._tag === "Replied") {
    const { rest } = outcome
    return {
      ...outcome,
      replies: outcome.replies.map((reply) => ({ ...reply, response: unstorable })),
      response: outcome.response === null ? null : unstorable,
      providerMessageId: null,
      ...(rest === undefined || rest.error === null
        ? {}
        : { rest: { ...rest, error: { ...rest.error, message: unstorable } } })
    }
  }
  return "response" in outcome ? { ...outcome, response: unstorable } : outcome
}

/** The code of an outage in `errorDetails`. */
export const outageCode = ({ code = "relay_unavailable" }: { readonly code?: string }): string => code
