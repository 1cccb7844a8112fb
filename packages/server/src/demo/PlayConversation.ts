import type { Switchboard } from "@switchboard/client"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import type { Message } from "@switchboard/domain/messages/Message"
import { Console, Data, Effect, Schedule } from "effect"
import { followed } from "./Followed.js"
import { heading, spoken } from "./Shown.js"

/** The answer has not come in yet. */
class NotYet extends Data.TaggedError("NotYet") {}

/** A mail is read and judged in moments. */
const moments = Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(600))

/** The thread of a message, with everything in it, once it holds so many messages. */
const threadOf = (client: Switchboard, messageId: Message["id"], messages: number) =>
  Effect.gen(function* () {
    const thread = yield* client.threads.getByMessage({ path: { messageId } })
    if (thread.messageCount < messages) return yield* new NotYet()
    const { items } = yield* client.threads.messages({ path: { id: thread.id } })
    return { thread, items }
  }).pipe(
    Effect.retry({ schedule: moments, while: ({ _tag }) => _tag === "NotYet" || _tag === "ResourceNotFoundError" })
  )

const show = (items: ReadonlyArray<Message>) =>
  Effect.forEach(items, (message) => Console.log(`   ${spoken(message)}`), { discard: true })

/** The recipient answers, the answer is found in its thread and conversation, and we answer it there. */
export const playConversation = Effect.fnUntraced(function* (
  client: Switchboard,
  message: Message,
  mail: MailboxMailId,
  recipient: EmailAddress
) {
  yield* heading("6  The recipient answers, over SMTP like anybody else")
  const answer = yield* client.mailbox.reply({
    path: { id: mail },
    payload: { text: "Thank you! Will it be here before Friday?" }
  })
  yield* Console.log(`   from ${answer.from}\n   to   ${answer.to.join(", ")}\n   ${answer.response}`)

  yield* heading("7  The answer has come in: there is a thread, and a conversation")
  const { items, thread } = yield* threadOf(client, message.id, 2)
  yield* Console.log(
    `   thread ${thread.id}  "${thread.subject}"  ${thread.messageCount} messages, ${thread.unreadCount} unread`
  )
  yield* show(items)
  const inbound = items.find(({ direction }) => direction === "inbound")
  if (inbound === undefined) return yield* new NotYet()
  const conversation = yield* client.conversations.get({ path: { id: thread.conversationId } })
  yield* Console.log(`   conversation ${conversation.id}  ${conversation.status}  ${conversation.metrics}`)

  yield* heading("8  We answer there")
  const { id } = yield* client.email.send({
    payload: {
      to: [recipient],
      subject: answer.subject,
      html: "<p>On Thursday, by the afternoon post.</p>",
      inReplyToMessageId: inbound.id
    }
  })
  const { status } = yield* followed(client, id)
  const whole = yield* threadOf(client, message.id, 3)
  yield* show(whole.items)
  yield* Console.log(`   the last one is ${status}; messages in the thread: ${whole.thread.messageCount}`)
})
