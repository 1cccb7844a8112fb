import { Context, type Effect } from "effect"
import type {
  MailDeferred,
  MailReceipt,
  MailRefused,
  OutgoingMail,
  RelayUnavailable
} from "../messages/delivery/MailTransport.js"

/** A mail that is written already. */
export interface WrittenMail {
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly raw: Uint8Array
}

/** What the server that takes mail said. */
export type Brought = Effect.Effect<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>

/** The way in, as any other server takes it: over SMTP, to where this service receives mail. */
export class WayIn extends Context.Tag("services/WayIn")<
  WayIn,
  {
    readonly bring: (mail: OutgoingMail) => Brought
    readonly bringWritten: (mail: WrittenMail) => Brought
  }
>() {}
