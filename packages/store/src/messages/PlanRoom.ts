import { planLimits } from "@switchboard/domain/organizations/Organization"
import { currentMonth } from "../organizations/FindOrganization.js"

const limits = Object.entries(planLimits).map(([plan, limit]) => `WHEN '${plan}' THEN '${limit}'::float8`)

/** Messages a month that the plan of this expression takes, in SQL. */
export const planLimit = (plan: string) => `CASE ${plan} ${limits.join(" ")} END`

/** A monthly counter of `organization_usage AS u`, in SQL: a new month starts at nothing. */
export const usedThisMonth = (counter: string) => `CASE WHEN u.month = ${currentMonth} THEN u.${counter} ELSE 0 END`
