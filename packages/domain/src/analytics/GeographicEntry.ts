import { Schema } from "effect"
import { Count } from "./MessageCounts.js"

/** What stands for a country or a region that nobody knows. */
export const unknownPlace = "unknown"

/** How many recipients messages had somewhere. */
export const GeographicEntry = Schema.Struct({
  country: Schema.String.annotations({ description: "an ISO 3166-1 alpha-2 country code, or unknown" }),
  region: Schema.String.annotations({ description: "a region, or unknown" }),
  count: Count.annotations({ description: "recipients: one who got two messages counts twice" })
}).annotations({ identifier: "GeographicEntry" })
export type GeographicEntry = typeof GeographicEntry.Type
