import type { SqlClient } from "@effect/sql"
import type { NewEvent } from "@switchboard/services/events/NewEvent"
import { DateTime } from "effect"

/** Writes events. Requires the transaction of the changes that they report. */
export const insertEvents = (sql: SqlClient.SqlClient, events: ReadonlyArray<NewEvent>) =>
  sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
    SELECT organization_id, id, type, subject_id, data, created_at FROM json_to_recordset(${JSON.stringify(
      events.map(({ at, data, id, organizationId, subjectId, type }) => ({
        organization_id: organizationId,
        id,
        type,
        subject_id: subjectId,
        data,
        created_at: DateTime.formatIso(at)
      }))
    )}::json) AS e(organization_id uuid, id uuid, type text, subject_id uuid, data json, created_at timestamptz)`
