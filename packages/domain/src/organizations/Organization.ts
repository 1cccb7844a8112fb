import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { Plan } from "./Plan.js"

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
