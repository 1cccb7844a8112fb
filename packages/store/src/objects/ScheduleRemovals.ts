import type { SqlClient } from "@effect/sql"
import type { ObjectRemoval } from "@switchboard/services/objects/ObjectRemovals"
import { DateTime, Effect } from "effect"

/** Schedules removals from the object store. Requires the transaction that makes the objects unused. */
export const scheduleRemovals = (sql: SqlClient.SqlClient, removals: ReadonlyArray<ObjectRemoval>) =>
  removals.length === 0
    ? Effect.void
    : Effect.asVoid(sql`INSERT INTO object_removals (organization_id, key, due_at)
        SELECT * FROM unnest(
          ${removals.map(({ organizationId }) => organizationId)}::uuid[],
          ${removals.map(({ key }) => key)}::text[],
          ${removals.map(({ dueAt }) => DateTime.formatIso(dueAt))}::timestamptz[]
        )
        ON CONFLICT (organization_id, key) DO UPDATE SET due_at = greatest(object_removals.due_at, excluded.due_at)`)
