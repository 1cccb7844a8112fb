import type { MailboxMail } from "@switchboard/domain/mailbox/MailboxMail"
import { Context, type Effect } from "effect"

/** What a mail says, read from its octets (RFC 5322, MIME). */
export interface ParsedMail
  extends Pick<MailboxMail, "from" | "to" | "cc" | "subject" | "headers" | "text" | "html" | "attachments"> {
  /** Whom it asks to answer to, if not its author. */
  readonly replyTo: ReadonlyArray<string>
}

/** Reads mail. What it can't read comes out empty, never as a failure. */
export class MailParser extends Context.Tag("services/MailParser")<
  MailParser,
  { readonly parse: (raw: Uint8Array) => Effect.Effect<ParsedMail> }
>() {}
