/** How servers name a mail in their reply to its final dot. There is no standard for it. */
const wordings = [
  // Postfix, Haraka
  /\bqueued as <?([\w.+=-]+)/i,
  // Exim
  /\bid=<?([\w.@-]+)/i,
  // Exchange, Microsoft 365
  /^250 2\.6\.0 <([^<>\s]+)>/,
  // Sendmail
  /^250 2\.0\.0 (\w+) Message accepted for delivery/,
  // Google
  /\s([\w.-]+) - gsmtp$/,
  // Amazon SES
  /^250 Ok ([\da-f-]{16,})$/i
]

/** The server's own name for a mail that it took, null if its reply tells none. */
export const queuedAs = (reply: string): string | null => {
  for (const wording of wordings) {
    const name = wording.exec(reply)?.[1]
    if (name !== undefined) return name
  }
  return null
}
