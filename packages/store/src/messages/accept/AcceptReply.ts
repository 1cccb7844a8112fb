import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { Accepted, NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Effect, Option } from "effect"
import { insertConversationEvents } from "../../conversations/InsertConversationEvents.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { joinThread, lockParent } from "../../email/threads/JoinThread.js"
import { countThreads } from "../../email/threads/ThreadCounts.js"
import type { acceptMessages } from "./AcceptMessages.js"

/** A send that replies to a message. */
export interface Reply {
  readonly message: NewMessage
  readonly parent: MessageId
}

/**
 * Stores a reply in the thread and conversation of its parent, which are created if the parent has none. If the reply
 * is refused, nothing is created. None if the parent no longer exists.
 */
export const acceptReply = (sql: SqlClient.SqlClient, accept: ReturnType<typeof acceptMessages>) => {
  const store = Effect.fnUntraced(function* ({ parent: id, message }: Reply) {
    const { conversationId: requested, organizationId } = message.facts
    const parent = yield* lockParent(sql, organizationId, id)
    if (Option.isNone(parent)) return Option.none<Accepted>()
    const { conversationId, isNew, threadId, threads } = yield* joinThread(sql, organizationId, parent.value)
    if (isNew) yield* insertConversationEvents(sql, organizationId, conversationId, ["conversation.created"])
    const facts = { ...message.facts, threadId, conversationId: requested ?? conversationId }
    const [accepted] = yield* Effect.flatMap(accept([{ ...message, facts }]), Effect.all)
    yield* countThreads(sql, organizationId, threads)
    return Option.fromNullable(accepted)
  })

  return (reply: Reply) => store(reply).pipe(sql.withTransaction, retryConflicts, orUnavailable)
}
