import type { KeyObject } from "node:crypto"
import type { RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { Context, Data, type DateTime, type Effect } from "effect"
import type { StoredAttachment } from "../MessageRepo.js"

/** An address with the name shown for it, as it is written into a header. */
export interface NamedAddress {
  readonly name?: string | undefined
  readonly address: string
}

/** Who answers for a mail (DKIM, RFC 6376). */
export interface DkimIdentity {
  readonly domain: string
  readonly selector: string
  readonly privateKey: KeyObject
}

/** A mail as it is handed to a relay. */
export interface OutgoingMail {
  /** The reverse-path (RFC 5321 section 4.1.1.2). */
  readonly mailFrom: string
  /** The forward-paths of this attempt: only those who have not got it yet. */
  readonly rcptTo: ReadonlyArray<string>
  /** Names this message towards the relay (ENVID, RFC 3461 section 4.4). */
  readonly envelopeId: string
  /** Whether the relay is asked to report on each recipient (RFC 3461). */
  readonly notify: boolean
  readonly messageId: string
  readonly date: DateTime.Utc
  readonly from: NamedAddress
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** Display names by address. */
  readonly names: Readonly<Record<string, string>>
  readonly replyTo: ReadonlyArray<string>
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: ReadonlyArray<StoredAttachment>
  /** Null for a mail that goes unsigned. */
  readonly dkim: DkimIdentity | null
}

/** The session took place: what the relay said of each recipient, and of the whole if it took it. */
export interface MailReceipt {
  /** One for each of `rcptTo`. */
  readonly replies: ReadonlyArray<RecipientReply>
  /** The reply to the final dot, null if no recipient was accepted. */
  readonly response: string | null
  /** The relay's own name for the mail, if its reply told one. */
  readonly providerMessageId: string | null
}

/** The relay refused the message as a whole, for good: 5yz at MAIL or DATA. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly smtpCode: number | null
  readonly response: string
}> {}

/**
 * The message as a whole is deferred: 4yz at MAIL or DATA, a reply that is no SMTP, or a connection that was lost or
 * silent in the session.
 */
export class MailDeferred extends Data.TaggedError("MailDeferred")<{
  readonly smtpCode: number | null
  readonly response: string
  /** The relay did not reply in time: several in a row open the circuit breaker. */
  readonly isSilent?: boolean
  /** The relay had the whole mail, and its reply did not come: a repeat may be a second copy. */
  readonly mayBeTaken?: boolean
}> {}

/** The relay can't be used by any message now: refused, not found, TLS, authentication, 421. */
export class RelayUnavailable extends Data.TaggedError("RelayUnavailable")<{ readonly response: string }> {}

/** Hands mail to the relay that the service is set up with. */
export class MailTransport extends Context.Tag("services/MailTransport")<
  MailTransport,
  {
    /** Names the relay in logs and metrics: host and port. */
    readonly relay: string
    readonly send: (mail: OutgoingMail) => Effect.Effect<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>
    /** Greets the relay, authenticates, and says which SMTP extensions it offers (for `doctor`). */
    readonly probe: Effect.Effect<{ readonly extensions: ReadonlyArray<string> }, RelayUnavailable>
  }
>() {}
