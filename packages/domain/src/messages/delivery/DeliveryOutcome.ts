import { Data, type DateTime } from "effect"

/** What the recipients' side said of one recipient (RFC 5321 section 4.2: 2yz, 4yz, 5yz). */
export interface RecipientReply {
  readonly recipient: string
  readonly verdict: "accepted" | "deferred" | "refused"
  readonly smtpCode?: number | undefined
  readonly response?: string | undefined
  /** The relay may have taken the mail for this recipient although it was put off. */
  readonly mayBeTaken?: boolean
}

/** Recipients whom an attempt did not come to: when they are tried, and what kept it from them, if anything did. */
export interface UntriedRest {
  readonly at: DateTime.Utc
  readonly error: { readonly code: string; readonly message: string } | null
}

/** How one attempt to deliver a message ended. There is no other way for it to end. */
export type DeliveryOutcome = Data.TaggedEnum<{
  /** Sessions took place; every recipient whom the attempt came to has its reply. */
  Answered: {
    readonly replies: ReadonlyArray<RecipientReply>
    readonly response: string | null
    readonly providerMessageId: string | null
    /** When those who were deferred are tried again, none if the retries are used up. */
    readonly retryAt: DateTime.Utc | null
    /** Left out if the attempt came to everyone it was for. */
    readonly rest?: UntriedRest
  }
  /** The message as a whole was refused for good (5yz at MAIL or DATA). */
  Refused: { readonly smtpCode: number | null; readonly response: string }
  /** The message as a whole was put off (4yz at MAIL or DATA, a connection lost, a defect of ours). */
  Deferred: {
    readonly code: string
    readonly smtpCode: number | null
    readonly response: string
    readonly retryAt: DateTime.Utc | null
    /** The relay had the whole mail, and its reply did not come: the next try may be a second copy. */
    readonly mayBeTaken?: boolean
  }
  /** The relay, or what the attempt needs, can't be used at all: no retry of the message is spent. */
  Outage: {
    /** Left out: `relay_unavailable`. */
    readonly code?: string
    readonly response: string
    readonly retryAt: DateTime.Utc
  }
  /** It waited longer than a message may. */
  Expired: object
  /** Too many of its attempts ended without an outcome, the last ones while nothing else was attempted. */
  Poisoned: { readonly takeovers: number }
  /** Nothing was sent: its worker stops, or its lease ran out before. */
  HandedBack: object
}>

export const DeliveryOutcome = Data.taggedEnum<DeliveryOutcome>()

const unstorable = "The reply can't be stored"

/** The same outcome without the text of the relay's replies. */
export const withoutReplies = (outcome: DeliveryOutcome): DeliveryOutcome => {
  if (outcome._tag === "Answered") {
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

/** What an outage is called in `errorDetails`. */
export const outageCode = ({ code = "relay_unavailable" }: { readonly code?: string }): string => code
