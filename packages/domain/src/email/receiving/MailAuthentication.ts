import { Schema } from "effect"

/** What SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489) say of a mail that came in. */
export const MailAuthentication = Schema.Struct({
  spf: Schema.String.annotations({ examples: ["pass"] }),
  dkim: Schema.String.annotations({ examples: ["pass"] }),
  dmarc: Schema.String.annotations({ examples: ["pass"] })
}).annotations({ identifier: "MailAuthentication" })
export type MailAuthentication = typeof MailAuthentication.Type
