import type { KeyObject } from "node:crypto"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MailConfirmation } from "@switchboard/domain/messages/delivery/Confirmation"
import { Context, type DateTime, Effect, Layer, Option } from "effect"
import type { StoredAttachment } from "../MessageRepo.js"
import type { ProviderUnavailable, Sending, SendLease } from "./Provider.js"
import type { Admission, ProviderBreaker } from "./ProviderBreaker.js"

/** `SMTP_CONFIRMATION`: whether the relay's 250 counts as delivery. */
export class DeliveryConfirmation extends Context.Tag("services/DeliveryConfirmation")<
  DeliveryConfirmation,
  MailConfirmation
>() {}

/** Whether the relay is on another host, so that its receivers see the domain of the sender. */
export class RemoteRelay extends Context.Reference<RemoteRelay>()("services/RemoteRelay", {
  defaultValue: () => false
}) {}

/** An address with its display name. */
export interface NamedAddress {
  readonly name?: string | undefined
  readonly address: string
}

/** The DKIM signer of a mail (RFC 6376). */
export interface DkimIdentity {
  readonly domain: string
  readonly selector: string
  readonly privateKey: KeyObject
}

/** A submitted mail. */
export interface SubmittedContent {
  /** Its header and body. */
  readonly octets: Uint8Array
  /** Tracks an HTML part, except for the links of `List-Unsubscribe`; null for a mail that is not tracked. */
  readonly trackHtml: ((html: string, listUnsubscribe: string) => string) | null
}

/** A mail to hand over to the relay. */
export interface OutgoingMail {
  /** The reverse-path (RFC 5321 section 4.1.1.2). */
  readonly mailFrom: string
  /** The forward-paths of this attempt, without recipients that have the mail already. */
  readonly rcptTo: ReadonlyArray<string>
  /** Identifies the message to the relay (ENVID, RFC 3461 section 4.4). */
  readonly envelopeId: string
  /** Whether to request a DSN for each recipient (RFC 3461). */
  readonly notify: boolean
  readonly messageId: string
  readonly date: DateTime.Utc
  readonly from: NamedAddress
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** Display names by address. */
  readonly names: Readonly<Record<string, string>>
  readonly replyTo: ReadonlyArray<NamedAddress>
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  /** Replaces the header and body of the content; null for a composed mail. */
  readonly submitted: SubmittedContent | null
  /** Whether the header has UTF-8 of a program that requested SMTPUTF8 (RFC 6531). */
  readonly needsSmtpUtf8: boolean
  readonly attachments: ReadonlyArray<StoredAttachment>
  /** Null for unsigned mail. */
  readonly dkim: DkimIdentity | null
}

/** The servers that take the mail for some recipients: a relay, or the mail servers of a destination. */
export interface MailRoute {
  /** The name of the provider in messages. */
  readonly provider: string
  /** The kind of route in logs and errors. */
  readonly noun: "relay" | "destination"
  /** Host and port of the relay, or the destination, for logs. */
  readonly address: string
  readonly breaker: ProviderBreaker
  /** Sends a mail to its recipients, if its lease holds when it has a connection. */
  readonly send: (mail: OutgoingMail, lease: SendLease) => Sending
}

/** Recipients with a common route. */
export interface Routed<Route> {
  readonly route: Route
  readonly recipients: ReadonlyArray<string>
}

/** Sends mail over SMTP: over relays, or to the mail servers of the recipients. */
export class MailTransport extends Context.Tag("services/MailTransport")<
  MailTransport,
  {
    /** The routes for the mail of a sender's domain to recipients. Each recipient is in exactly one. */
    readonly routesTo: (
      senderDomain: string,
      recipients: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Routed<MailRoute>>>
    /** The attempts that the circuit breakers admit now: none only if that holds for every route. */
    readonly admission: Effect.Effect<Admission>
  }
>() {}

/** Probes the relays, for `doctor`. */
export class RelayProbes extends Context.Tag("services/RelayProbes")<
  RelayProbes,
  ReadonlyArray<{
    /** Host and port. */
    readonly relay: string
    /** Connects and authenticates; returns the SMTP extensions of the relay. */
    readonly probe: Effect.Effect<{ readonly extensions: ReadonlyArray<string> }, ProviderUnavailable>
  }>
>() {}

/** Serializes mail (RFC 5322, RFC 2045). */
export class MimeWriter extends Context.Tag("services/MimeWriter")<
  MimeWriter,
  {
    /** The octets of a mail as they are sent, without a DKIM signature. */
    readonly write: (mail: OutgoingMail) => Effect.Effect<Uint8Array>
  }
>() {}

/** Stores which relays replied out of order, for `doctor`. */
export class RelayFaults extends Context.Tag("services/RelayFaults")<
  RelayFaults,
  {
    /** Stores that the relay replied out of order now. */
    readonly record: (relay: string) => Effect.Effect<void, ServiceUnavailableError>
    /** The last time at which the relay replied out of order. */
    readonly find: (relay: string) => Effect.Effect<Option.Option<DateTime.Utc>, ServiceUnavailableError>
  }
>() {
  /** Stores nothing. */
  static readonly Unrecorded = Layer.succeed(RelayFaults, {
    record: () => Effect.void,
    find: () => Effect.succeed(Option.none())
  })
}
