import type { SqlClient } from "@effect/sql"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"

/**
 * Makes a resolved or archived conversation active. Returns whether its status changed. Waiting and snoozed
 * conversations count as active and keep their status.
 */
export const reopenConversation = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ConversationId) =>
  Effect.map(
    sql`UPDATE conversations SET status = 'active', status_reason = NULL, resolved_at = NULL, resolved_by = NULL,
        resolution_type = NULL, resolution_notes = NULL, archived_at = NULL, updated_at = now()
      WHERE organization_id = ${organization} AND id = ${id} AND status IN ('resolved', 'archived') RETURNING 1`,
    (rows) => rows.length > 0
  )
