import { DateTime } from "effect"

/** The time of a UUID version 7. */
export const timeOfId = (id: string): DateTime.Utc =>
  DateTime.unsafeMake(Number.parseInt(id.replace("-", "").slice(0, 12), 16))
