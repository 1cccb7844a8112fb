import { DateTime } from "effect"

/** Lower than every id. */
export const minId = "00000000-0000-0000-0000-000000000000"

/** The lowest UUIDv7 of a millisecond. Ids sort by time, so a time range is a range of the primary key. */
export const firstIdAt = (at: DateTime.Utc) => {
  const millis = Math.max(0, Math.min(DateTime.toEpochMillis(at), 0xffff_ffff_ffff))
  const hex = millis.toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
