import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newConversation } from "@switchboard/services/conversations/NewConversation"
import { type DateTime, Effect } from "effect"
import { insertConversation } from "./InsertConversation.js"

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
  const conversation = yield* newConversation(organizationId, {
    title: title === "" ? undefined : title,
    channels: ["email"],
    isTest,
    startedAt
  })
  yield* insertConversation(sql, conversation)
  return conversation.id
})
