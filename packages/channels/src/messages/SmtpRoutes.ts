import type { Routed } from "@switchboard/services/messages/delivery/MailTransport"
import type { Sending, SendLease } from "@switchboard/services/messages/delivery/Provider"
import type { Admission, ProviderBreaker } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Context, type Effect } from "effect"
import type { SmtpEnvelope } from "../smtp/client/SmtpMail.js"

/** The servers for the mail to some recipients: a relay, or the mail servers of a destination. */
export interface SmtpRoute {
  /** The name of the provider in messages. */
  readonly provider: string
  /** The kind of route in logs and errors. */
  readonly noun: "relay" | "destination"
  /** Host and port of the relay, or the destination, for logs. */
  readonly address: string
  readonly breaker: ProviderBreaker
  /** Sends the octets of a mail, if its lease holds when it has a connection. */
  readonly send: (envelope: SmtpEnvelope, octets: Uint8Array, lease: SendLease) => Sending
}

/** The routes for the mail of a sender's domain to recipients. Each recipient is in exactly one. */
export type RoutesTo = (
  senderDomain: string,
  recipients: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<Routed<SmtpRoute>>>

/** Where outgoing mail goes. */
export class SmtpRoutes extends Context.Tag("channels/SmtpRoutes")<
  SmtpRoutes,
  {
    /** For messages. */
    readonly messages: RoutesTo
    /** For forwarded mail, which does not wait behind messages. */
    readonly forwards: RoutesTo
    /** The attempts that the circuit breakers admit now: none only if that holds for every route. */
    readonly admission: Effect.Effect<Admission>
  }
>() {}
