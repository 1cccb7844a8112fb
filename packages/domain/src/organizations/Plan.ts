import { Schema } from "effect"

export const Plan = Schema.Literal("free", "starter", "growth", "unlimited")
export type Plan = typeof Plan.Type

/** Messages that each plan takes in a calendar month (UTC). The statement that accepts sends enforces it. */
export const planLimits: Readonly<Record<Plan, number>> = {
  free: 1_000,
  starter: 50_000,
  growth: 1_000_000,
  unlimited: Number.POSITIVE_INFINITY
}
