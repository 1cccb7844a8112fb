import { Context, type Effect } from "effect"
import type {
  MailDeferred,
  MailReceipt,
  MailRefused,
  OutgoingMail,
  RelayUnavailable
} from "../messages/delivery/MailTransport.js"

/** A complete mail (RFC 5322) with its SMTP envelope. */
export interface ComposedMail {
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly raw: Uint8Array
}

/** The server's reply. */
export type Injection = Effect.Effect<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>

/** Sends mail over SMTP to the address where this service receives mail, as another server does. */
export class SmtpInjector extends Context.Tag("services/SmtpInjector")<
  SmtpInjector,
  {
    /** Composes a mail and sends it. */
    readonly inject: (mail: OutgoingMail) => Injection
    /** Sends a complete mail unchanged. */
    readonly injectComposed: (mail: ComposedMail) => Injection
  }
>() {}
