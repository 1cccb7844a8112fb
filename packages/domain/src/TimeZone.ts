import { Schema } from "effect"

/** `UTC` or `Area/Location`: abbreviations like `IST` mean one zone here and another one in the database. */
const form = /^(?:UTC|(?!SystemV\/)[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+)$/

const isKnown = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A time zone of the IANA database, by its name. */
export const TimeZone = Schema.String.pipe(
  Schema.filter((name) => (form.test(name) && isKnown(name)) || "must be an IANA time zone like Europe/Berlin")
).annotations({
  description: "an IANA time zone",
  jsonSchema: { type: "string", examples: ["Europe/Berlin"] }
})
