import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { MailboxMail } from "../../app/Types.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Icon } from "../../components/Icon.js"
import { useAction } from "../../components/UseAction.js"

/** Replies to a mail as one of its recipients. The reply is received over SMTP, and joins the thread of the message. */
export const ReplyForm = ({ mail: { id, rcptTo } }: { readonly mail: MailboxMail }) => {
  const [text, setText] = useState("")
  const [from, setFrom] = useState(rcptTo[0] ?? "")
  const { busy, error, run } = useAction(async () => {
    await client.mailbox.reply({ path: { id }, payload: { text, from } })
    setText("")
    showDone("The reply is received")
  })
  if (!can("messages.send")) return null
  const submit = (event: Event) => {
    event.preventDefault()
    void run()
  }
  return (
    <form class="card padded form" onSubmit={submit} aria-labelledby="reply">
      <h2 id="reply">Reply as the recipient</h2>
      {rcptTo.length > 1 && (
        <label class="field">
          <span>From</span>
          <select value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
            {rcptTo.map((address) => (
              <option key={address}>{address}</option>
            ))}
          </select>
        </label>
      )}
      <textarea
        aria-label="Text of the reply"
        required
        value={text}
        placeholder={`Write as ${from}`}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={busy}>
          <Icon name="reply" />
          Reply
        </button>
      </div>
    </form>
  )
}
