import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newConversation } from "@switchboard/services/conversations/Conversations"
import { type DateTime, Effect } from "effect"
import { insertConversation } from "./InsertConversation.js"

/** A conversation that an e-mail starts. */
export interface MailConversation {
  readonly organizationId: OrganizationId
  readonly title: string
  readonly isTest: boolean
  /** The time of its first e-mail. */
  readonly startedAt: DateTime.Utc
}

/** Creates an e-mail conversation. Requires a transaction. */
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
