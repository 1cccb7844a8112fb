import { Context, type Effect } from "effect"
import type { MailDeferred, MailReceipt, MailRefused, RelayUnavailable } from "../../messages/delivery/MailTransport.js"

/** A mail that somebody else wrote: it goes out octet by octet. */
export interface RawOutgoingMail {
  readonly mailFrom: string
  readonly rcptTo: string
  readonly raw: Uint8Array
}

/** Hands mail as it is to the relay that the service is set up with. */
export class RawRelay extends Context.Tag("services/RawRelay")<
  RawRelay,
  {
    readonly send: (mail: RawOutgoingMail) => Effect.Effect<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>
  }
>() {}
