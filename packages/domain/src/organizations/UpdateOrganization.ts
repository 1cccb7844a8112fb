import { Schema } from "effect"
import { CountryCode } from "../CountryCode.js"
import { EmailAddress } from "../email/EmailAddress.js"
import { TimeZone } from "../TimeZone.js"

const longestName = 200
const longestUrl = 2_048

/** Events tell the whole organization in 20 KB. */
const largestMetadata = 8_192

const Name = Schema.String.pipe(
  Schema.filter((text) => !/[\r\n]/.test(text) || "must not contain line breaks"),
  Schema.filter(
    (text) => (text.trim().length >= 1 && text.length <= longestName) || `must have 1 to ${longestName} characters`
  )
).annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: longestName } })

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What an organization is called in addresses: unique among all of them. */
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
  text.length <= longestUrl && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const Logo = Schema.String.pipe(
  Schema.filter((text) => isWebUrl(text) || `must be an http or https URL of at most ${longestUrl} characters`)
).annotations({
  description: "the URL of an image",
  jsonSchema: { type: "string", format: "uri", maxLength: longestUrl }
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
        new TextEncoder().encode(JSON.stringify(map)).byteLength <= largestMetadata ||
        `must have at most ${largestMetadata} bytes as JSON`
    )
  )
  .annotations({ description: "a map of the organization's own, which replaces the earlier one" })

/** Whatever is given changes, the rest stays; null takes away what an organization need not have. */
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
