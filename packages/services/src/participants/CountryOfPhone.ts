import { parsePhoneNumberFromString } from "libphonenumber-js/max"

/** The ISO 3166 country code of a phone number (E.164); null if it has none or is unknown. */
export const countryOfPhone = (phone: string): string | null => parsePhoneNumberFromString(phone)?.country ?? null
