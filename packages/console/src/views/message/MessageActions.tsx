import { client } from "../../app/Client.js"
import { navigate } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import type { Message } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { Icon } from "../../components/Icon.js"

interface MessageActionsProps {
  readonly message: Message
  readonly changed: () => void
}

const focusReply = () => document.querySelector<HTMLTextAreaElement>("textarea[name=reply]")?.focus()

/** The actions of a message: cancel a scheduled one, send a sent one again, reply to a received one. */
export const MessageActions = ({ changed, message: { channel, direction, id, status } }: MessageActionsProps) => {
  const resend = async () => {
    const copy = await client.messages.resend({ path: { id } })
    showDone("Sent again as a new message")
    navigate(linkTo(paths.message, { id: copy.id }))
  }
  const cancel = async () => {
    await client.messages.cancel({ path: { id } })
    showDone("The message is cancelled")
    changed()
  }
  return (
    <>
      {status === "scheduled" && (
        <ActionButton label="Cancel" permission="messages.send" action={cancel} kind="danger" />
      )}
      {direction === "inbound" && channel === "email" && can("messages.send") && (
        <button type="button" class="button primary" onClick={focusReply}>
          <Icon name="reply" />
          Reply
        </button>
      )}
      {direction === "outbound" && (
        <ActionButton label="Send again" icon="refresh" permission="messages.send" action={resend} />
      )}
    </>
  )
}
