import type { Message, Switchboard } from "@switchboard/client"
import { Console, Data, Effect, Schedule } from "effect"
import { followed } from "./Followed.js"
import { heading, summary } from "./Shown.js"

/** The reply has not arrived yet. */
class NotYet extends Data.TaggedError("NotYet") {}

/** Polls for at most 30 seconds. */
const pollSchedule = Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(600))

/** Polls the thread of a message until it has `messages` messages; returns it with its items. */
const threadOf = (client: Switchboard, messageId: Message["id"], messages: number) =>
  Effect.gen(function* () {
    const thread = yield* client.threads.getByMessage({ path: { messageId } })
    if (thread.messageCount < messages) return yield* new NotYet()
    const { items } = yield* client.threads.messages({ path: { id: thread.id } })
    return { thread, items }
  }).pipe(
    Effect.retry({ schedule: pollSchedule, while: ({ _tag }) => _tag === "NotYet" || _tag === "ResourceNotFoundError" })
  )

const show = (items: ReadonlyArray<Message>) =>
  Effect.forEach(items, (message) => Console.log(`   ${summary(message)}`), { discard: true })

/** The recipient replies; the reply is found in its thread and conversation, and gets a reply in the same thread. */
export const playConversation = Effect.fnUntraced(function* (
  client: Switchboard,
  message: Message,
  mail: string,
  recipient: string
) {
  yield* heading("6  The recipient replies over SMTP")
  const reply = yield* client.mailbox.reply({
    path: { id: mail },
    payload: { text: "Thank you! Will it be here before Friday?" }
  })
  yield* Console.log(`   from ${reply.from}\n   to   ${reply.to.join(", ")}\n   ${reply.response}`)

  yield* heading("7  The reply has arrived: it belongs to a thread and a conversation")
  const { items, thread } = yield* threadOf(client, message.id, 2)
  yield* Console.log(
    `   thread ${thread.id}  "${thread.subject}"  ${thread.messageCount} messages, ${thread.unreadCount} unread`
  )
  yield* show(items)
  const inbound = items.find(({ direction }) => direction === "inbound")
  if (inbound === undefined) return yield* new NotYet()
  const conversation = yield* client.conversations.get({ path: { id: thread.conversationId } })
  yield* Console.log(`   conversation ${conversation.id}  ${conversation.status}  ${conversation.metrics}`)

  yield* heading("8  Reply in the same thread")
  const { id } = yield* client.email.send({
    payload: {
      to: [recipient],
      subject: reply.subject,
      html: "<p>On Thursday, by the afternoon post.</p>",
      inReplyToMessageId: inbound.id
    }
  })
  const { status } = yield* followed(client, id)
  const complete = yield* threadOf(client, message.id, 3)
  yield* show(complete.items)
  yield* Console.log(`   the last one is ${status}; messages in the thread: ${complete.thread.messageCount}`)
})
