import { PaymentRequiredError } from "../Errors.js"
import type { Plan } from "./Organization.js"

/** The maximum number of messages of each plan in a period. Test messages are not counted. */
export const planLimits: Readonly<Record<Plan, number>> = {
  free: 1_000,
  starter: 50_000,
  growth: 1_000_000,
  unlimited: Number.POSITIVE_INFINITY
}

/** The calendar period after which a plan's counters restart at zero. */
export const planPeriod = { unit: "month", timeZone: "UTC" } as const

/** The error of a send that exceeds the plan's limit. In a batch, earlier sends use up the rest of the limit. */
export const planExceeded = (plan: Plan, used: number): PaymentRequiredError =>
  new PaymentRequiredError({
    resource: "messages",
    currentUsage: Math.max(used, planLimits[plan]),
    limit: planLimits[plan]
  })
