import { planPeriod } from "@switchboard/domain/organizations/PlanLimit"

/** The first day of the plan's current period, in SQL. */
export const currentMonth = `date_trunc('${planPeriod.unit}', now() AT TIME ZONE '${planPeriod.timeZone}')::date`

/** When the plan's next period begins, in SQL. */
export const nextMonth = `(${currentMonth} + interval '1 ${planPeriod.unit}') AT TIME ZONE '${planPeriod.timeZone}'`

/** A counter of `organization_usage AS u` in the plan's current period, in SQL. The counter of an earlier one reads as zero. */
export const usedThisMonth = (counter: "messages_used_this_month" | "email_used_this_month") =>
  `(CASE WHEN u.month = ${currentMonth} THEN u.${counter} ELSE 0 END)`
