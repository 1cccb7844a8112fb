import { Context, type Effect } from "effect"
import type { MailDeferred, MailReceipt, MailRefused, RelayUnavailable } from "../../messages/delivery/MailTransport.js"

/** A mail that is relayed octet by octet. */
export interface RawOutgoingMail {
  readonly mailFrom: string
  readonly rcptTo: string
  readonly raw: Uint8Array
}

/** Relays mail unchanged over the configured SMTP relay. */
export class RawRelay extends Context.Tag("services/RawRelay")<
  RawRelay,
  {
    /** Sends a mail over the relay. */
    readonly send: (mail: RawOutgoingMail) => Effect.Effect<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>
  }
>() {}
