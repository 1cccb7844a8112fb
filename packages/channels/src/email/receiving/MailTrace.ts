import { mailLimits } from "./reading/MimeHeader.js"

/** The header section that is searched. A mail with a longer one can't be parsed. */
const maxHeaderOctets = mailLimits.headerBytes

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

interface Field {
  readonly name: string
  readonly start: number
}

/** The names and start offsets of the header fields; the last element is the body. */
const fieldsOf = (raw: Buffer): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  let start = 0
  while (start < raw.length && start < maxHeaderOctets) {
    const end = raw.indexOf("\r\n", start)
    if (end === start || end < 0) break
    const isFolded = raw[start] === 0x20 || raw[start] === 0x09
    if (!isFolded) {
      const colon = raw.subarray(start, Math.min(end, start + 78)).indexOf(0x3a)
      fields.push({
        name: raw
          .subarray(start, start + Math.max(colon, 0))
          .toString("latin1")
          .trim()
          .toLowerCase(),
        start
      })
    }
    start = end + 2
  }
  return [...fields, { name: "", start }]
}

/** Reads the trace information of a mail. Its lines must end with CRLF. */
export const mailTrace = (raw: Buffer): MailTrace => {
  const fields = fieldsOf(raw).map(({ name, start }, index, all) => ({
    name,
    octets: raw.subarray(start, all[index + 1]?.start ?? raw.length)
  }))
  const messageId = fields.find(({ name }) => name === "message-id")?.octets.toString("latin1") ?? ""
  return {
    hops: fields.filter(({ name }) => name === "received").length,
    messageId: messageId.slice(messageId.indexOf(":") + 1).replace(/\s+/g, ""),
    withoutTrace: fields.flatMap(({ name, octets }) => (traceFields.test(name) ? [] : [octets]))
  }
}
