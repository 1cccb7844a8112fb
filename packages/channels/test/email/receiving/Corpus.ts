import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"

/** What a mail of the corpus must be read as: all that is named here, as `told` tells it. */
export type Told = Partial<ReturnType<typeof told>>

/** A mail that nobody of good will writes, and what must become of it: what it says, or why it can't be read. */
export interface HostileMail {
  readonly name: string
  readonly raw: () => Buffer
  readonly outcome: Told | RegExp
}

/** As much of a text as a difference can be shown in. */
const beginning = (text: string): string => text.slice(0, 10_000)

/** A mail in few words. */
export const told = (mail: ReadMail) => ({
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

/** Lines with their ends. */
export const lines = (...all: ReadonlyArray<string>): string => `${all.join("\r\n")}\r\n`

/** A mail with these lines of header before its body. */
export const mailOf = (headers: ReadonlyArray<string>, body = "Hello"): Buffer =>
  bytes(`${lines("From: ada@example.com", ...headers)}\r\n${body}`)

/** Chance that is the same each time (mulberry32). */
export const chance = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
