import { Context, type Effect } from "effect"
import type {
  MailDeferred,
  MailLease,
  MailReceipt,
  MailRefused,
  MailWithdrawn,
  RelayUnavailable
} from "../../messages/delivery/MailTransport.js"

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
    /** Sends a mail over the relay, if its lease holds when it has a connection. */
    readonly send: (
      mail: RawOutgoingMail,
      lease: MailLease
    ) => Effect.Effect<MailReceipt, MailRefused | MailDeferred | MailWithdrawn | RelayUnavailable>
  }
>() {}
