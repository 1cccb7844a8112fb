import { useRef } from "preact/hooks"
import { client } from "../../app/Client.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { Message } from "../../app/Types.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { useAction } from "../../components/UseAction.js"
import { replyRecipients, replySubject } from "./ReplyTo.js"

interface ReplyFormProps {
  /** The message that the reply refers to: the latest received one, or else the latest. */
  readonly message: Message
  readonly sent: () => void
}

/** A reply of the organization. It joins the thread and the conversation of its message. */
export const ReplyForm = ({ message, sent }: ReplyFormProps) => {
  const text = useRef<HTMLTextAreaElement>(null)
  const to = replyRecipients(message)
  const { busy, error, run } = useAction(async () => {
    await client.email.send({
      payload: {
        to,
        subject: replySubject(message),
        text: text.current?.value ?? "",
        inReplyToMessageId: message.id
      }
    })
    if (text.current !== null) text.current.value = ""
    showDone("The reply is sent")
    sent()
  })
  if (!can("messages.send")) return null
  return (
    <form
      class="card padded reply"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <label class="field">
        <span>Reply to {to.join(", ")}</span>
        <textarea ref={text} name="reply" rows={5} required />
      </label>
      {error !== undefined && <ErrorNotice error={error} />}
      <button class="button primary" type="submit" disabled={busy}>
        Send reply
      </button>
    </form>
  )
}
