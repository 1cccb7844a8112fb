import { Option, Redacted } from "effect"
import { urlCredentials } from "../UrlCredentials.js"

/** An account at a Twilio-compatible API. */
export interface TwilioAccount {
  /** For example `https://api.twilio.com`. */
  readonly origin: string
  /** Host, and port if it is not the default one. */
  readonly address: string
  /** The path of the account's resources, without `.json`. */
  readonly path: string
  readonly accountSid: string
  readonly authToken: Redacted.Redacted<string>
}

const scheme = /^twilio\+(?=https?:)/i

/**
 * The account of a URL `twilio+https://ACCOUNT:TOKEN@HOST`, or `twilio+http:` on loopback; none for another scheme. A path
 * of the URL precedes that of the API.
 */
export const twilioAccount = (url: Redacted.Redacted<string>): Option.Option<TwilioAccount> => {
  const text = Redacted.value(url)
  if (!scheme.test(text)) return Option.none()
  const parsed = new URL(text.replace(scheme, ""))
  const { pass, user } = urlCredentials(parsed)
  return Option.some({
    origin: parsed.origin,
    address: parsed.host,
    path: `${parsed.pathname.replace(/\/+$/, "")}/2010-04-01/Accounts/${encodeURIComponent(user)}`,
    accountSid: user,
    authToken: Redacted.make(pass)
  })
}

/** The length of a message's id at most, in characters. */
export const maxSidLength = 64
