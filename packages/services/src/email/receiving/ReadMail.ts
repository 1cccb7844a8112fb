import { Context, Data, type Effect } from "effect"

/** An address as a header names it. Not checked: it is what a stranger wrote. */
export interface HeaderAddress {
  readonly name: string
  readonly address: string
}

/** A leaf of the MIME tree that is no body, with its content. */
export interface ReadPart {
  /** Without folders, controls and characters that turn the direction of text, at most 200 characters; null without one. */
  readonly filename: string | null
  readonly contentType: string
  readonly contentId: string | null
  readonly isInline: boolean
  readonly content: Uint8Array
}

/** What a mail says (RFC 5322, MIME), read from its octets; safe to store (no NUL, no lone surrogates). */
export interface ReadMail {
  /** In the order of the mail, names in lower case, unfolded and decoded. */
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  /** With its angle brackets, empty if there is none. */
  readonly messageId: string
  /** Message-IDs with their angle brackets. */
  readonly inReplyTo: ReadonlyArray<string>
  /** The nearest ones, if there are very many. */
  readonly references: ReadonlyArray<string>
  readonly from: HeaderAddress
  readonly replyTo: ReadonlyArray<HeaderAddress>
  readonly to: ReadonlyArray<HeaderAddress>
  readonly cc: ReadonlyArray<HeaderAddress>
  readonly subject: string
  /** The bodies, each cut where it is longer than anybody reads; empty if there is none. A mail of HTML alone has its words as text. */
  readonly text: string
  readonly html: string
  /** Attachments and every part of a report, in order: `message/delivery-status`, `message/feedback-report`, `message/rfc822`, `text/rfc822-headers`… */
  readonly parts: ReadonlyArray<ReadPart>
}

/** A mail that can't be read within its bounds of time, memory and form: it is kept as it is, and says so. */
export class UnreadableMail extends Data.TaggedError("UnreadableMail")<{ readonly message: string }> {}

/** Reads mail of strangers: outside the main thread, in bounded time and memory, and never as a defect. */
export class MailReader extends Context.Tag("services/MailReader")<
  MailReader,
  { readonly read: (raw: Uint8Array) => Effect.Effect<ReadMail, UnreadableMail> }
>() {}
