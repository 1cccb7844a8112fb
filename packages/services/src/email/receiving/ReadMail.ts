import { partText, type ReportFields, readFieldGroups } from "@switchboard/domain/email/feedback/ReportFields"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { Context, Data, type Effect } from "effect"
import type { InboundMail } from "./InboundMail.js"

/** A mail with the facts of its SMTP session that checks need. */
export type ArrivedOverSmtp = Pick<InboundMail, "helo" | "mailFrom" | "raw" | "receivedAt" | "remoteAddress">

/** The policy that a domain publishes for mail that fails DMARC (RFC 7489); `none` also without a record. */
export type DmarcPolicy = "none" | "quarantine" | "reject" | "unknown"

/** Checks the sender of a mail in DNS: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489). */
export class MailAuthenticator extends Context.Tag("services/MailAuthenticator")<
  MailAuthenticator,
  {
    /** The results of the checks. A failed look-up is the result `temperror`. */
    readonly authenticate: (mail: ArrivedOverSmtp) => Effect.Effect<MailAuthentication>
    /** The DMARC policy of the From domain. `unknown` if the look-up fails or From is not one address. */
    readonly senderPolicy: (mail: Pick<ArrivedOverSmtp, "raw" | "receivedAt">) => Effect.Effect<DmarcPolicy>
  }
>() {}

/** An address in a header. Not validated. */
export interface HeaderAddress {
  readonly name: string
  readonly address: string
}

/** The maximum number of stored characters of a name. */
const maxNameLength = 200

/** The name of an address, as it is stored; empty if it has none. */
export const displayName = ({ name }: HeaderAddress): string => [...name.trim()].slice(0, maxNameLength).join("")

/** A leaf of the MIME tree that is not the body. */
export interface ReadPart {
  /**
   * At most 200 characters, without folders, control characters and bidirectional overrides; null if the part has no
   * name.
   */
  readonly filename: string | null
  readonly contentType: string
  readonly contentId: string | null
  readonly isInline: boolean
  readonly content: Uint8Array
}

const mediaType = /^[a-z0-9][\w.+-]{0,126}\/[a-z0-9][\w.+-]{0,126}$/i
/** A declared media type without its parameters, in lower case, if it is one. */
export const storableType = (declared: string): string => {
  const [type = ""] = declared.toLowerCase().split(";", 1)
  return mediaType.test(type) ? type : "application/octet-stream"
}

const maxContentIdLength = 255

/** The name of a part without one; an enclosed mail gets the extension .eml. */
const nameless = (contentType: string, position: number): string =>
  `attachment-${position + 1}${contentType === "message/rfc822" ? ".eml" : ""}`

/** The name, type and Content-ID of a part as a file to store. */
export const fileOfPart = (part: Omit<ReadPart, "content" | "isInline">, position: number) => {
  const contentType = storableType(part.contentType)
  const contentId = part.contentId?.replaceAll(/[<>\s]/g, "").slice(0, maxContentIdLength) ?? ""
  return {
    filename: part.filename ?? nameless(contentType, position),
    contentType,
    contentId: contentId === "" ? null : contentId
  }
}

/** A parsed mail (RFC 5322, MIME), safe to store: without NUL and lone surrogates. */
export interface ReadMail {
  /** In the mail's order, with names in lower case and values unfolded and decoded. */
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  /** With angle brackets; empty if there is none. */
  readonly messageId: string
  /** Message-IDs with angle brackets. */
  readonly inReplyTo: ReadonlyArray<string>
  /** The last ones if there are too many. */
  readonly references: ReadonlyArray<string>
  readonly from: HeaderAddress
  readonly replyTo: ReadonlyArray<HeaderAddress>
  readonly to: ReadonlyArray<HeaderAddress>
  readonly cc: ReadonlyArray<HeaderAddress>
  readonly subject: string
  /** The bodies, truncated at a limit; empty if there is none. The text of a mail with only HTML is derived from it. */
  readonly text: string
  readonly html: string
  /** The text without quotes and signature; the complete text if nothing else is left. */
  readonly replyText: string
  /**
   * Attachments, and every part of a report, in order: `message/delivery-status`, `message/feedback-report`,
   * `message/rfc822`, `text/rfc822-headers`…
   */
  readonly parts: ReadonlyArray<ReadPart>
}

/** A mail exceeds a limit of time or memory, or is malformed. */
export class UnreadableMail extends Data.TaggedError("UnreadableMail")<{ readonly message: string }> {}

/** Parses untrusted mail outside the main thread, with limits of time and memory. */
export class MailReader extends Context.Tag("services/MailReader")<
  MailReader,
  { readonly read: (raw: Uint8Array) => Effect.Effect<ReadMail, UnreadableMail> }
>() {}

/** Limits of the header fields that are read without parsing the mail. */
const maxHeaderOctets = 64 * 1024
const maxFields = 200
const maxValueLength = 1_000

const endOfHeader = /\r?\n[ \t]*\r?\n/

/** The header of a mail, as far as it can be read without parsing the mail. */
export const headerOf = (raw: Uint8Array): ReportFields => {
  const text = partText({ contentType: "text/rfc822-headers", content: raw.subarray(0, maxHeaderOctets) })
  const [fields = []] = readFieldGroups(text.split(endOfHeader, 1)[0] ?? "")
  return fields
    .slice(0, maxFields)
    .map(({ name, value }) => ({ name, value: value.slice(0, maxValueLength).replace(/[\ud800-\udbff]$/, "") }))
}
