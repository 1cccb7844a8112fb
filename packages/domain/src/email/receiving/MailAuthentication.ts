import { Schema } from "effect"

/** The results of SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489) for an inbound mail. */
export const MailAuthentication = Schema.Struct({
  spf: Schema.String.annotations({ examples: ["pass"] }),
  dkim: Schema.String.annotations({ examples: ["pass"] }),
  dmarc: Schema.String.annotations({ examples: ["pass"] })
}).annotations({ identifier: "MailAuthentication" })
export type MailAuthentication = typeof MailAuthentication.Type
