import { mailLimits } from "./reading/MailLimits.js"

/** Headers end within this, or the mail can't be read at all. Whatever is further down is content. */
const maxHeaderOctets = mailLimits.headerBytes

/** What relays add on the way, and may add differently when they try again. */
const trace =
  /^(?:received|x-received|return-path|delivered-to|received-spf|authentication-results|arc-.+|dkim-signature)$/

/** What the headers of a mail say of its way. */
export interface MailTrace {
  /** How many `Received` there are. */
  readonly hops: number
  /** The `Message-ID`, empty if there is none. */
  readonly messageId: string
  /** The octets without what was added on the way. */
  readonly untraced: ReadonlyArray<Uint8Array>
}

interface Field {
  readonly name: string
  readonly start: number
}

/** The fields of the header, each with where it begins; the last one is the body. */
const fieldsOf = (raw: Buffer): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  let start = 0
  while (start < raw.length && start < maxHeaderOctets) {
    const end = raw.indexOf("\r\n", start)
    if (end === start || end < 0) break
    const folded = raw[start] === 0x20 || raw[start] === 0x09
    if (!folded) {
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

/** Reads the way of a mail from its octets, whose lines end with CRLF. */
export const mailTrace = (raw: Buffer): MailTrace => {
  const fields = fieldsOf(raw).map(({ name, start }, index, all) => ({
    name,
    octets: raw.subarray(start, all[index + 1]?.start ?? raw.length)
  }))
  const messageId = fields.find(({ name }) => name === "message-id")?.octets.toString("latin1") ?? ""
  return {
    hops: fields.filter(({ name }) => name === "received").length,
    messageId: messageId.slice(messageId.indexOf(":") + 1).replace(/\s+/g, ""),
    untraced: fields.flatMap(({ name, octets }) => (trace.test(name) ? [] : [octets]))
  }
}
