import { Option } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"

/**
 * Normalizes a phone number to E.164; none if no country has numbers of this form. Whether the number is assigned is
 * not checked.
 */
export const normalizedPhone = (text: string): Option.Option<string> =>
  Option.fromNullable(parsePhoneNumberFromString(text, { extract: false })).pipe(
    Option.filter((phone) => phone.ext === undefined && phone.isPossible()),
    Option.map((phone) => phone.number)
  )

/** Normalizes the phone number of a WhatsApp account, which may lack the plus sign. */
export const normalizedWhatsAppId = (text: string): Option.Option<string> =>
  normalizedPhone(/^\d/.test(text) ? `+${text}` : text)
