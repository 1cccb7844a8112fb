import { Context, type Effect } from "effect"
import type { OutgoingMail } from "./MailTransport.js"

/** Serializes mail (RFC 5322, RFC 2045). */
export class MimeWriter extends Context.Tag("services/MimeWriter")<
  MimeWriter,
  {
    /** The octets of a mail as they are sent, without a DKIM signature. */
    readonly write: (mail: OutgoingMail) => Effect.Effect<Uint8Array>
  }
>() {}
