import type { SqlClient } from "@effect/sql"
import { endedStatuses } from "@switchboard/domain/conversations/Conversation"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option } from "effect"
import { setThreadStatus } from "../email/threads/ThreadCounts.js"

/** Makes an ended conversation active. Returns the change of the numbers of threads, none if it has not ended. */
export const reopenConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: ConversationId
) {
  const rows = yield* sql`UPDATE conversations SET status = 'active', status_reason = NULL, resolved_at = NULL,
      resolved_by = NULL, resolution_type = NULL, resolution_notes = NULL, archived_at = NULL, updated_at = now()
    WHERE organization_id = ${organization} AND id = ${id} AND status IN ${sql.in(endedStatuses)} RETURNING 1`
  return rows.length === 0 ? Option.none() : Option.some(yield* setThreadStatus(sql, organization, id, "active"))
})
