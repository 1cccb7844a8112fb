import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** Messages that each plan takes in a calendar month (UTC). */
export const planLimits = {
  free: 1_000,
  starter: 50_000,
  growth: 1_000_000,
  unlimited: Number.POSITIVE_INFINITY
} as const

export const Plan = Schema.Literal("free", "starter", "growth", "unlimited")
export type Plan = typeof Plan.Type

/** A tenant, as far as operators see it from the command line. */
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
