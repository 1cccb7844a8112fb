import { fieldValue, headerFields } from "../../mime/HeaderFields.js"
import { mailLimits } from "./reading/MimeHeader.js"

/** Fields that relays add (RFC 5321 section 4.4), possibly with other values at each attempt. */
const traceFields =
  /^(?:received|x-received|return-path|delivered-to|received-spf|authentication-results|arc-.+|dkim-signature)$/

/** The trace information of a mail. */
export interface MailTrace {
  /** The number of `Received` fields. */
  readonly hops: number
  /** The `Message-ID`; empty if the mail has none. */
  readonly messageId: string
  /** The octets of the mail without its trace fields; the body is the last element. */
  readonly withoutTrace: ReadonlyArray<Uint8Array>
}

/** Reads the trace information of a mail. Its lines must end with CRLF. */
export const mailTrace = (raw: Buffer): MailTrace => {
  // The header section of a mail with a longer one can't be parsed.
  const fields = headerFields(raw, mailLimits.headerBytes)
  const messageId = fields.find(({ name }) => name === "message-id")
  return {
    hops: fields.filter(({ name }) => name === "received").length,
    messageId: messageId === undefined ? "" : fieldValue(messageId).replace(/\s+/g, ""),
    withoutTrace: fields.flatMap(({ name, octets }) => (traceFields.test(name) ? [] : [octets]))
  }
}
