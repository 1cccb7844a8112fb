import { useRef, useState } from "preact/hooks"
import { can } from "../../app/SessionState.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Icon } from "../../components/Icon.js"
import { isCommand, shortcut } from "../../components/Shortcuts.js"
import { useAction } from "../../components/UseAction.js"

interface ReplyFormProps {
  /** The label of the text. */
  readonly label: string
  /** The senders to choose from. The first one is used without a choice. */
  readonly senders: ReadonlyArray<string>
  readonly send: (text: string, sender: string) => Promise<void>
}

/** A form to reply with a text. The text stays if it is not sent. */
export const ReplyForm = ({ label, send, senders }: ReplyFormProps) => {
  const text = useRef<HTMLTextAreaElement>(null)
  const [chosen, setChosen] = useState<string>()
  const sender = chosen ?? senders[0] ?? ""
  const { busy, error, run } = useAction(async () => {
    const field = text.current
    if (field === null) return
    await send(field.value, sender)
    field.value = ""
    field.focus()
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
      {senders.length > 1 && (
        <label class="field">
          <span>From</span>
          <select value={sender} onChange={(event) => setChosen(event.currentTarget.value)}>
            {senders.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>{label}</span>
        <textarea
          ref={text}
          name="reply"
          rows={5}
          required
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onKeyDown={(event) => {
            if (event.key === "Enter" && isCommand(event)) event.currentTarget.form?.requestSubmit()
          }}
        />
      </label>
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="buttons">
        <button class="button primary" type="submit" disabled={busy}>
          <Icon name="reply" />
          Send reply
        </button>
        <small class="keys">
          <kbd>{shortcut("Enter")}</kbd> sends
        </small>
      </div>
    </form>
  )
}
