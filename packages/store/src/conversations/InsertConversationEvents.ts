import type { SqlClient } from "@effect/sql"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ConversationEventType } from "@switchboard/services/conversations/ConversationRepo"
import { newEvent } from "@switchboard/services/events/NewEvent"
import { Effect, Option } from "effect"
import { insertEvents } from "../events/InsertEvents.js"
import { selectConversation } from "./ConversationRows.js"

/** Writes events about a conversation, with its current state. Requires the transaction that changed it. */
export const insertConversationEvents = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: ConversationId,
  types: ReadonlyArray<ConversationEventType>
) {
  if (types.length === 0) return
  const conversation = yield* selectConversation(sql, organization, id)
  if (Option.isNone(conversation)) return
  yield* insertEvents(sql, yield* Effect.forEach(types, (type) => newEvent(type, organization, id, conversation.value)))
})
