import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import type { Message } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"

interface MessageActionsProps {
  readonly message: Message
  readonly changed: () => void
}

/** The actions of a message: cancel a scheduled one. */
export const MessageActions = ({ changed, message: { id, status } }: MessageActionsProps) => {
  const cancel = async () => {
    await client.messages.cancel({ path: { id } })
    showDone("The message is cancelled")
    changed()
  }
  return status === "scheduled" ? (
    <ActionButton label="Cancel" permission="messages.send" action={cancel} kind="danger" />
  ) : null
}
