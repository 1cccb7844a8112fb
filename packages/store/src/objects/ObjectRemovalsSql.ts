import { SqlClient } from "@effect/sql"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ObjectRemovals } from "@switchboard/services/objects/ObjectRemovals"
import { DateTime, Effect, Layer, Schema } from "effect"
import { orUnavailable } from "../database/Unavailable.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({ organizationId: OrganizationId, key: ObjectKey, dueAt: Schema.DateTimeUtcFromDate })
)

/** Scheduled removals in the table `object_removals`. */
export const ObjectRemovalsSql = Layer.effect(
  ObjectRemovals,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    takeDue: (now, putOffUntil, limit) =>
      sql`UPDATE object_removals AS r SET due_at = ${DateTime.toDateUtc(putOffUntil)}
        FROM (
          SELECT organization_id, key FROM object_removals WHERE due_at <= ${DateTime.toDateUtc(now)}
          ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) AS due
        WHERE r.organization_id = due.organization_id AND r.key = due.key
        RETURNING r.organization_id AS "organizationId", r.key, r.due_at AS "dueAt"`.pipe(
        Effect.map((rows) => rows.map((row) => decode(row))),
        orUnavailable
      ),
    done: (removals) =>
      removals.length === 0
        ? Effect.void
        : sql`DELETE FROM object_removals AS r
            USING unnest(
              ${removals.map(({ organizationId }) => organizationId)}::uuid[],
              ${removals.map(({ key }) => key)}::text[]
            ) AS gone (organization_id, key)
            WHERE r.organization_id = gone.organization_id AND r.key = gone.key`.pipe(Effect.asVoid, orUnavailable)
  }))
)
