import { Option } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"

/**
 * A phone number in the one form that it is stored in (E.164), however it was written; none if no country has numbers
 * like it. Whether it was given to anybody is not asked: that changes from day to day.
 */
export const normalizedPhone = (text: string): Option.Option<string> =>
  Option.fromNullable(parsePhoneNumberFromString(text, { extract: false })).pipe(
    Option.filter((phone) => phone.ext === undefined && phone.isPossible()),
    Option.map((phone) => phone.number)
  )

/** The same of a WhatsApp account, which is also written without the plus. */
export const normalizedWhatsAppId = (text: string): Option.Option<string> =>
  normalizedPhone(/^\d/.test(text) ? `+${text}` : text)
