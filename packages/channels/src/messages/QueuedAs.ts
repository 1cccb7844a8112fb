/** Patterns of the queue id in the reply to the final dot, which no standard defines. */
const patterns = [
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

/** The server's queue id of an accepted mail; null if its reply has none. */
export const queuedAs = (reply: string): string | null => {
  for (const pattern of patterns) {
    const queueId = pattern.exec(reply)?.[1]
    if (queueId !== undefined) return queueId
  }
  return null
}
