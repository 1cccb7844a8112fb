import type { MailboxMail } from "@switchboard/domain/mailbox/MailboxMail"
import { Context, type Effect } from "effect"

/** What a mail says, read from its octets (RFC 5322, MIME). */
export type ParsedMail = Pick<
  MailboxMail,
  "from" | "to" | "cc" | "subject" | "headers" | "text" | "html" | "attachments"
>

/** Reads mail. What it can't read comes out empty, never as a failure. */
export class MailParser extends Context.Tag("services/MailParser")<
  MailParser,
  { readonly parse: (raw: Uint8Array) => Effect.Effect<ParsedMail> }
>() {}
