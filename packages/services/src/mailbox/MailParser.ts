import type { MailboxMail } from "@switchboard/domain/mailbox/MailboxMail"
import { Context, type Effect } from "effect"

/** A parsed mail (RFC 5322, MIME). */
export interface ParsedMail
  extends Pick<MailboxMail, "from" | "to" | "cc" | "subject" | "headers" | "text" | "html" | "attachments"> {
  /** The Reply-To addresses; empty if there are none. */
  readonly replyTo: ReadonlyArray<string>
}

/** Parses mail. Parts that can't be parsed are empty, never an error. */
export class MailParser extends Context.Tag("services/MailParser")<
  MailParser,
  { readonly parse: (raw: Uint8Array) => Effect.Effect<ParsedMail> }
>() {}
