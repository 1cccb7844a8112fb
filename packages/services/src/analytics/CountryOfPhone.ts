import { parsePhoneNumberFromString } from "libphonenumber-js/max"

/** The country that a phone number (E.164) belongs to, by its two letters; null if none, or nobody can tell. */
export const countryOfPhone = (phone: string): string | null => parsePhoneNumberFromString(phone)?.country ?? null
