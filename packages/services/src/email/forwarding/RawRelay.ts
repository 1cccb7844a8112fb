import { Context, type Effect } from "effect"
import type { DkimIdentity } from "../../messages/delivery/MailTransport.js"
import type { Sending, SendLease } from "../../messages/delivery/Provider.js"
import type { ArrivedOverSmtp } from "../receiving/ReadMail.js"

/** Seals or rewrites forwarded mail with the key of the domain that forwards it. */
export class MailSealer extends Context.Tag("services/MailSealer")<
  MailSealer,
  {
    /**
     * The ARC header fields (RFC 8617), each with its line end, to prepend to the mail. They pass the results of the
     * mail's checks on to the next system. Empty if the existing chain is invalid.
     */
    readonly seal: (mail: ArrivedOverSmtp, identity: DkimIdentity) => Effect.Effect<string>
    /**
     * The mail with `address` as its From, signed with DKIM. `Reply-To` is the original From unless the mail has one;
     * `X-Original-From` keeps the original From. Unchanged if the mail can't be processed.
     */
    readonly rewrite: (raw: Uint8Array, address: string, identity: DkimIdentity) => Effect.Effect<Uint8Array>
  }
>() {}

/** A mail that is relayed octet by octet. */
export interface RawOutgoingMail {
  readonly mailFrom: string
  readonly rcptTo: string
  readonly raw: Uint8Array
}

/** Sends mail unchanged over the routes of messages. */
export class RawRelay extends Context.Tag("services/RawRelay")<
  RawRelay,
  {
    /** Sends a mail, if its lease holds when it has a connection. */
    readonly send: (mail: RawOutgoingMail, lease: SendLease) => Sending
  }
>() {}
