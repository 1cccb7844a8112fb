import { Schema } from "effect"
import { Count } from "./MessageCounts.js"

/** The placeholder for an unknown country or region. */
export const unknownPlace = "unknown"

/** The number of recipients in a country and region. */
export const GeographicEntry = Schema.Struct({
  country: Schema.String.annotations({ description: "an ISO 3166-1 alpha-2 country code, or unknown" }),
  region: Schema.String.annotations({ description: "a region, or unknown" }),
  count: Count.annotations({ description: "recipients; a recipient of two messages counts twice" })
}).annotations({ identifier: "GeographicEntry" })
export type GeographicEntry = typeof GeographicEntry.Type
