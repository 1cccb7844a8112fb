import { client } from "../../app/Client.js"
import { can } from "../../app/SessionState.js"
import { showDone, showFailed } from "../../app/Toasts.js"
import type { Message } from "../../app/Types.js"
import { parseMailbox } from "../../components/MailboxText.js"
import { useSenders } from "../send/SenderField.js"
import { ReplyForm } from "./ReplyForm.js"
import { replyRecipients, replySenders, replySubject } from "./ReplyTo.js"

interface ReplyProps {
  /** The messages of the exchange, oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** The message that the reply refers to. */
  readonly message: Message
  readonly sent: () => void
}

/** Marks the thread as read. The reply is sent already: a failure is only shown. */
const markRead = (id: string | null) =>
  id !== null && can("email.write") ? client.threads.markRead({ path: { id } }).catch(showFailed) : undefined

/** A reply of the organization, from the address that was written to. It joins the thread and marks it as read. */
export const Reply = ({ message, messages, sent }: ReplyProps) => {
  const to = replyRecipients(message)
  const senders = replySenders(message, messages, useSenders())
  const send = async (text: string, sender: string) => {
    await client.email.send({
      payload: {
        to,
        subject: replySubject(message),
        text,
        inReplyToMessageId: message.id,
        ...(sender === "" ? {} : { from: parseMailbox(sender) })
      }
    })
    await markRead(message.threadId)
    showDone("The reply is sent")
    sent()
  }
  return <ReplyForm label={`Reply to ${to.join(", ")}`} senders={senders} send={send} />
}
