import type { SqlClient } from "@effect/sql"
import { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect } from "effect"

/** What is known of a conversation that mail begins. */
export interface MailConversation {
  readonly organizationId: OrganizationId
  readonly title: string
  readonly isTest: boolean
  /** When its first mail came or went. */
  readonly startedAt: DateTime.Utc
}

/** Makes a conversation that goes on by e-mail. To be run in a transaction. */
export const beginConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { isTest, organizationId, startedAt, title }: MailConversation
) {
  const { id, now } = yield* newId(ConversationId)
  yield* sql`INSERT INTO conversations ${sql.insert({
    organization_id: organizationId,
    id,
    title: title === "" ? null : title,
    channels: ["email"],
    primary_channel: "email",
    status: "active",
    priority: 2,
    urgency: "medium",
    complexity: "simple",
    tags: [],
    categories: [],
    is_test: isTest,
    is_internal: false,
    is_private: false,
    started_at: DateTime.toDateUtc(startedAt),
    created_at: DateTime.toDateUtc(now),
    updated_at: DateTime.toDateUtc(now)
  })}`
  return id
})
