import { Schema } from "effect"
import { CountryCode } from "../CountryCode.js"
import { EmailAddress } from "../email/EmailAddress.js"
import { clearable } from "../Fields.js"
import { HttpUrl } from "../HttpUrl.js"
import { matching, visibleLine } from "../Text.js"
import { Timestamp, TimeZone } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

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

export const Plan = Schema.Literal("free", "starter", "growth", "unlimited")
export type Plan = typeof Plan.Type

export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** An organization in the output of operators' commands. */
export class OrganizationSummary extends Schema.Class<OrganizationSummary>("OrganizationSummary")({
  id: OrganizationId,
  name: Schema.String,
  slug: Schema.String,
  plan: Plan,
  defaultCurrency: Schema.String,
  isActive: Schema.Boolean,
  messagesUsedThisMonth: Schema.Number,
  createdAt: Timestamp
}) {}

const Counter = Schema.Int.pipe(Schema.nonNegative())

/** An organization (tenant). */
export class Organization extends Schema.Class<Organization>("Organization")({
  id: OrganizationId,
  name: Schema.String,
  slug: Schema.String,
  logo: Schema.optional(Schema.String),
  paymentCustomerId: Schema.optional(Schema.String),
  defaultCurrency: Schema.String.annotations({ description: "an ISO 4217 currency code" }),
  countryCode: Schema.optional(Schema.String.annotations({ description: "an ISO 3166-1 alpha-2 country code" })),
  timezone: Schema.String.annotations({ description: "an IANA time zone" }),
  billingEmail: Schema.optional(Schema.String),
  plan: Plan,
  isActive: Schema.Boolean,
  metadata: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  messagesUsed: Counter,
  messagesUsedThisMonth: Counter,
  smsUsed: Counter,
  smsUsedThisMonth: Counter,
  whatsappUsed: Counter,
  whatsappUsedThisMonth: Counter,
  emailUsed: Counter,
  emailUsedThisMonth: Counter,
  participantsUsed: Counter,
  conversationsUsed: Counter,
  teamMembersUsed: Counter,
  messagesResetAt: Timestamp.annotations({
    description: "the time at which the counters of this month are reset (UTC)"
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
