import type { SqlClient } from "@effect/sql"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ConversationNews } from "@switchboard/services/conversations/ConversationRepo"
import { newEvent } from "@switchboard/services/events/NewEvent"
import { Effect, Option } from "effect"
import { insertEvents } from "../events/InsertEvents.js"
import { selectConversation } from "./ConversationRows.js"

/** Tells what happened to a conversation, as it is now. To be run in the transaction in which it happened. */
export const tellConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: ConversationId,
  news: ReadonlyArray<ConversationNews>
) {
  if (news.length === 0) return
  const conversation = yield* selectConversation(sql, organization, id)
  if (Option.isNone(conversation)) return
  yield* insertEvents(sql, yield* Effect.forEach(news, (type) => newEvent(type, organization, id, conversation.value)))
})
