import { planPeriod } from "@switchboard/domain/organizations/PlanLimit"
import type { SendingChannel } from "@switchboard/services/messages/delivery/DeliveryQueue"

/** SQL: the first day of the plan's current period. */
export const currentMonth = `date_trunc('${planPeriod.unit}', now() AT TIME ZONE '${planPeriod.timeZone}')::date`

/** SQL: the start of the plan's next period. */
export const nextMonth = `(${currentMonth} + interval '1 ${planPeriod.unit}') AT TIME ZONE '${planPeriod.timeZone}'`

/**
 * SQL: a counter of `organization_usage AS u` in the plan's current period. A counter of an earlier period reads as
 * zero.
 */
export const usedThisMonth = (counter: `${"messages" | SendingChannel}_used_this_month`) =>
  `(CASE WHEN u.month = ${currentMonth} THEN u.${counter} ELSE 0 END)`
