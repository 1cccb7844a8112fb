import { Schema } from "effect"
import { clearable } from "../Clearable.js"
import { CountryCode } from "../CountryCode.js"
import { EmailAddress } from "../email/EmailAddress.js"
import { HttpUrl } from "../HttpUrl.js"
import { matching, visibleLine } from "../Text.js"
import { TimeZone } from "../TimeZone.js"

/** The maximum size of the metadata as JSON, in bytes: events contain the organization and are limited to 20 KB. */
const maxMetadataBytes = 8_192

/** The name of an organization in URLs, unique in the installation. */
export const Slug = Schema.String.pipe(
  matching(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    "must be 1 to 63 lowercase letters, digits and hyphens, with no hyphen at either end"
  )
).annotations({
  description: "a name of lowercase letters, digits and hyphens",
  examples: ["analytical-engines"]
})

const Logo = HttpUrl.annotations({ description: "the URL of an image" })

const currencies = new Set(Intl.supportedValuesOf("currency"))

const Currency = Schema.String.pipe(
  Schema.filter((code) => currencies.has(code) || "must be an ISO 4217 currency code like EUR")
).annotations({
  description: "an ISO 4217 currency code",
  jsonSchema: { type: "string", pattern: "^[A-Z]{3}$", examples: ["EUR"] }
})

const Metadata = Schema.Record({ key: Schema.String, value: Schema.Unknown })
  .pipe(
    Schema.filter(
      (map) =>
        new TextEncoder().encode(JSON.stringify(map)).byteLength <= maxMetadataBytes ||
        `must have at most ${maxMetadataBytes} bytes as JSON`
    )
  )
  .annotations({ description: "a map of the organization's own, which replaces the earlier one" })

/** The fields to change; omitted fields stay. Null removes an optional field. */
export const UpdateOrganization = Schema.Struct({
  name: Schema.optional(visibleLine(200)),
  slug: Schema.optional(Slug),
  logo: clearable(Logo),
  defaultCurrency: Schema.optional(Currency),
  countryCode: clearable(CountryCode),
  timezone: Schema.optional(TimeZone),
  billingEmail: clearable(EmailAddress),
  metadata: clearable(Metadata)
}).annotations({ identifier: "UpdateOrganization" })
export type UpdateOrganization = typeof UpdateOrganization.Type
