import { currentMonth } from "../organizations/FindOrganization.js"
import { usedThisMonth } from "./PlanRoom.js"

const monthly = usedThisMonth("messages_used_this_month")

/**
 * The part of the accept statement that counts what was stored: one update an organization, whatever the size of the
 * batch. It comes last, so that the next batch waits for nothing but this one's commit. If others used the plan's room
 * since the snapshot, or removed a participant, whom the send may name, the counter becomes null, which the table
 * refuses: nothing of the statement stays.
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
      AND (s.counted = 0 OR ${monthly} + s.counted <= r.most) THEN ${monthly} + s.counted END,
    email_used_this_month = ${usedThisMonth("email_used_this_month")} + s.counted,
    messages_kept = u.messages_kept + s.kept
  FROM locked AS l, sums AS s, rooms AS r
  WHERE u.organization_id = l.organization_id AND s.organization_id = l.organization_id
    AND r.organization_id = l.organization_id
)`
