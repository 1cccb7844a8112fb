import { planLimits } from "@switchboard/domain/organizations/PlanLimit"
import { currentMonth, usedThisMonth } from "../../organizations/PlanUsage.js"

const limits = Object.entries(planLimits).map(([plan, limit]) => `WHEN '${plan}' THEN '${limit}'::float8`)

/** SQL: the monthly message limit of an organization's plan. */
const planLimit = `CASE o.plan ${limits.join(" ")} END`

const monthly = usedThisMonth("messages_used_this_month")

/**
 * The CTEs of the accept statement that split `fresh` sends by the plan limit in the statement's snapshot: `accepted`,
 * and `refused` beyond it, the last of a batch first. Messages with `isTest` are not counted. `countUsagePart` checks
 * this decision.
 */
export const planLimitPart = /* sql */ `
plan_limits AS MATERIALIZED (
  SELECT f.organization_id, r.plan, r.max_messages, r.used, r.removed
  FROM (SELECT DISTINCT organization_id FROM fresh) AS f CROSS JOIN LATERAL (
    SELECT o.plan, ${planLimit} AS max_messages, ${monthly} AS used, u.participants_removed AS removed
    FROM organization_usage AS u JOIN organizations AS o ON o.id = u.organization_id
    WHERE u.organization_id = f.organization_id LIMIT 1
  ) AS r
), judged AS MATERIALIZED (
  SELECT f.*, r.plan, r.used, f.is_test OR
    r.used + count(*) FILTER (WHERE NOT f.is_test) OVER (PARTITION BY f.organization_id ORDER BY f.ord) <= r.max_messages AS allowed
  FROM fresh AS f JOIN plan_limits AS r ON r.organization_id = f.organization_id
), accepted AS MATERIALIZED (
  SELECT ord, organization_id, id, key, fingerprint, content_hash, window_seconds, content_of FROM judged WHERE allowed
), refused AS MATERIALIZED (
  SELECT id, plan, used FROM judged WHERE NOT allowed
)`

/**
 * The CTEs that count stored messages, with one update per organization regardless of the batch size. They run last, so
 * that the next batch waits for this row only during the commit. If the plan's limit was reached since the snapshot, or
 * a participant that a send may name was removed, the counter becomes NULL, which violates its constraint and aborts
 * the statement.
 */
export const countUsagePart = /* sql */ `
sums AS MATERIALIZED (
  SELECT organization_id, count(*) FILTER (WHERE NOT is_test) AS counted, count(*) AS kept
  FROM stored WHERE (SELECT rows FROM written) IS NOT NULL GROUP BY organization_id
), locked AS MATERIALIZED (
  SELECT u.organization_id FROM organization_usage AS u
  WHERE u.organization_id IN (SELECT organization_id FROM sums) ORDER BY u.organization_id FOR UPDATE
), usage AS (
  UPDATE organization_usage AS u SET
    month = ${currentMonth},
    messages_used = u.messages_used + s.counted,
    email_used = u.email_used + s.counted,
    messages_used_this_month = CASE WHEN u.participants_removed = r.removed
      AND (s.counted = 0 OR ${monthly} + s.counted <= r.max_messages) THEN ${monthly} + s.counted END,
    email_used_this_month = ${usedThisMonth("email_used_this_month")} + s.counted,
    messages_kept = u.messages_kept + s.kept
  FROM locked AS l, sums AS s, plan_limits AS r
  WHERE u.organization_id = l.organization_id AND s.organization_id = l.organization_id
    AND r.organization_id = l.organization_id
)`
