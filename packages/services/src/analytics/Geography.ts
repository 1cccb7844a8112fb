import { type GeographicEntry, unknownPlace } from "@switchboard/domain/analytics/GeographicEntry"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import type { Recipients } from "./AnalyticsRepo.js"

/** The country that a phone number (E.164) belongs to, by its two letters; null if none, or nobody can tell. */
const countryOfPhone = (phone: string): string | null => parsePhoneNumberFromString(phone)?.country ?? null

/** Where recipients are, most first: by their country, or else by that of their phone number. */
export const geography = (recipients: ReadonlyArray<Recipients>): ReadonlyArray<GeographicEntry> => {
  const entries = new Map<string, GeographicEntry>()
  for (const { count, phone, region: given, ...known } of recipients) {
    const country = known.country ?? (phone === null ? null : countryOfPhone(phone)) ?? unknownPlace
    const region = given ?? unknownPlace
    const place = JSON.stringify([country, region])
    entries.set(place, { country, region, count: count + (entries.get(place)?.count ?? 0) })
  }
  return [...entries.values()].sort(
    (one, other) =>
      other.count - one.count || one.country.localeCompare(other.country) || one.region.localeCompare(other.region)
  )
}
