import { Schema } from "effect"
import { CountryCode } from "../CountryCode.js"
import { EmailAddress } from "../email/EmailAddress.js"
import { TimeZone } from "../TimeZone.js"

const maxNameLength = 200
const maxUrlLength = 2_048

/** The maximum size of the metadata as JSON, in bytes: events contain the organization and are limited to 20 KB. */
const maxMetadataBytes = 8_192

const Name = Schema.String.pipe(
  Schema.filter((text) => !/[\r\n]/.test(text) || "must not contain line breaks"),
  Schema.filter(
    (text) => (text.trim().length >= 1 && text.length <= maxNameLength) || `must have 1 to ${maxNameLength} characters`
  )
).annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: maxNameLength } })

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The name of an organization in URLs, unique in the installation. */
export const Slug = Schema.String.pipe(
  Schema.filter(
    (text) =>
      slugPattern.test(text) || "must be 1 to 63 lowercase letters, digits and hyphens, with no hyphen at either end"
  )
).annotations({
  description: "a name of lowercase letters, digits and hyphens",
  jsonSchema: { type: "string", pattern: slugPattern.source, examples: ["analytical-engines"] }
})

const isWebUrl = (text: string) =>
  text.length <= maxUrlLength && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const Logo = Schema.String.pipe(
  Schema.filter((text) => isWebUrl(text) || `must be an http or https URL of at most ${maxUrlLength} characters`)
).annotations({
  description: "the URL of an image",
  jsonSchema: { type: "string", format: "uri", maxLength: maxUrlLength }
})

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
  name: Schema.optional(Name),
  slug: Schema.optional(Slug),
  logo: Schema.optional(Schema.NullOr(Logo)),
  defaultCurrency: Schema.optional(Currency),
  countryCode: Schema.optional(Schema.NullOr(CountryCode)),
  timezone: Schema.optional(TimeZone),
  billingEmail: Schema.optional(Schema.NullOr(EmailAddress)),
  metadata: Schema.optional(Metadata)
}).annotations({ identifier: "UpdateOrganization" })
export type UpdateOrganization = typeof UpdateOrganization.Type
