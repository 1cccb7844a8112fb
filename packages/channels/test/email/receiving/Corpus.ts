import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"

/** The expected values of a parsed mail. */
export type Summary = Partial<ReturnType<typeof summary>>

/** A malformed or malicious mail, and its expected outcome: a summary, or a pattern of the error message. */
export interface HostileMail {
  readonly name: string
  readonly raw: () => Buffer
  readonly outcome: Summary | RegExp
}

/** A prefix that is short enough for an assertion message. */
const beginning = (text: string): string => text.slice(0, 10_000)

/** The compared values of a parsed mail. */
export const summary = (mail: ReadMail) => ({
  from: mail.from.address,
  fromName: mail.from.name,
  to: mail.to.map(({ address }) => address),
  recipients: mail.to.length,
  subject: mail.subject,
  messageId: mail.messageId,
  inReplyTo: mail.inReplyTo,
  references: mail.references.length,
  text: beginning(mail.text.trim()),
  textSize: mail.text.length,
  html: beginning(mail.html.trim()),
  headers: mail.headers.length,
  parts: mail.parts.map(({ contentType, filename }) => `${contentType} ${filename}`),
  contents: mail.parts.map(({ content }) => beginning(Buffer.from(content).toString("latin1").trim())),
  sizes: mail.parts.map(({ content }) => content.byteLength),
  inline: mail.parts.map(({ contentId, isInline }) => `${contentId} ${isInline}`)
})

export const bytes = (text: string): Buffer => Buffer.from(text, "latin1")

/** Joins lines with CRLF, and ends the last one. */
export const lines = (...all: ReadonlyArray<string>): string => `${all.join("\r\n")}\r\n`

/** A mail with these header fields and body. */
export const mailOf = (headers: ReadonlyArray<string>, body = "Hello"): Buffer =>
  bytes(`${lines("From: ada@example.com", ...headers)}\r\n${body}`)

/** A seeded random number generator (mulberry32). */
export const seededRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
