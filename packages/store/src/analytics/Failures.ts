import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { FailureShare } from "@switchboard/domain/analytics/FailureShare"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { firstIdAt } from "../FirstIdAt.js"

/** The recipients that failed or bounced, of bounced or failed messages accepted in a range, by reason. */
export const failures = (sql: SqlClient.SqlClient, organization: OrganizationId, { end, start }: DateRange) =>
  sql<Omit<FailureShare, "share">>`SELECT coalesce(d.reason, 'unknown') AS reason, count(*)::float8 AS count
    FROM message_states AS s CROSS JOIN LATERAL json_to_recordset(s.deliveries) AS d(status text, reason text)
    WHERE s.organization_id = ${organization} AND s.listed_status IN ('bounced', 'failed')
      AND s.message_id >= ${firstIdAt(start)} AND s.message_id < ${firstIdAt(end)}
      AND s.error_details ->> 'code' IS DISTINCT FROM 'cancelled' AND d.status IN ('bounced', 'failed')
    GROUP BY 1`
