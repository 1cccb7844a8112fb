import { Schema } from "effect"

/** `UTC` or `Area/Location`. Abbreviations like `IST` mean different zones in JavaScript and in PostgreSQL. */
const form = /^(?:UTC|[A-Za-z_]+(?:[/][A-Za-z0-9_+-]+)+)$/

/** The zones `SystemV/…` are known to JavaScript alone. */
const isKnown = (name: string): boolean => {
  if (name.startsWith("SystemV/")) return false
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The name of a time zone in the IANA database. */
export const TimeZone = Schema.String.pipe(
  Schema.filter((name) => (form.test(name) && isKnown(name)) || "must be an IANA time zone like Europe/Berlin")
).annotations({
  description: "an IANA time zone",
  jsonSchema: { type: "string", pattern: form.source, examples: ["Europe/Berlin"] }
})
