import type { SqlClient } from "@effect/sql"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"

/**
 * Makes a conversation active again that was resolved or put away; whether it was. One that waits or sleeps is left as
 * it is: it counts as active, and whoever made it so knows what it waits for.
 */
export const reopenConversation = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ConversationId) =>
  Effect.map(
    sql`UPDATE conversations SET status = 'active', status_reason = NULL, resolved_at = NULL, resolved_by = NULL,
        resolution_type = NULL, resolution_notes = NULL, archived_at = NULL, updated_at = now()
      WHERE organization_id = ${organization} AND id = ${id} AND status IN ('resolved', 'archived') RETURNING 1`,
    (rows) => rows.length > 0
  )
