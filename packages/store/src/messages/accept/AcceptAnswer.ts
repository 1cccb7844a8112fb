import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { Accepted, NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Effect, Option } from "effect"
import { tellConversation } from "../../conversations/TellConversation.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { joinThread, lockParent } from "../../email/threads/JoinThread.js"
import type { acceptMessages } from "./AcceptMessages.js"

/** A send, and the message that it answers. */
export interface Answer {
  readonly message: NewMessage
  readonly answered: MessageId
}

/**
 * Stores a send where the message that it answers belongs, and begins an exchange with the two if that is nowhere yet;
 * or nothing of it: what is refused begins nothing. None if what it answers is gone.
 */
export const acceptAnswer = (sql: SqlClient.SqlClient, accept: ReturnType<typeof acceptMessages>) => {
  const store = Effect.fnUntraced(function* ({ answered: id, message }: Answer) {
    const { conversationId: given, organizationId } = message.facts
    const answered = yield* lockParent(sql, organizationId, id)
    if (Option.isNone(answered)) return Option.none<Accepted>()
    const { conversationId, isNew, threadId } = yield* joinThread(sql, organizationId, answered.value)
    if (isNew) yield* tellConversation(sql, organizationId, conversationId, ["conversation.created"])
    const facts = { ...message.facts, threadId, conversationId: given ?? conversationId }
    const [accepted] = yield* Effect.flatMap(accept([{ ...message, facts }]), Effect.all)
    return Option.fromNullable(accepted)
  })

  return (answer: Answer) => store(answer).pipe(sql.withTransaction, retryConflicts, orUnavailable)
}
