import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import type { EmailSender } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

interface SenderRowProps {
  readonly sender: EmailSender
  readonly changed: () => void
  readonly removed: () => void
}

/** What the verification status means for the sender. */
const statusHints = {
  pending: "A confirmation link was sent to the address",
  verified: "The address can send",
  failed: "The confirmation link was not used in time, or the domain failed"
} as const

/** A sender in the list, with its confirmation and its actions. */
export const SenderRow = ({ changed, removed, sender }: SenderRowProps) => {
  const { createdAt, email, id, isDefault, name, replyTo, verificationStatus } = sender
  const sendAgain = async () => {
    await client.senders.create({ payload: { email, name, isDefault, ...(replyTo === undefined ? {} : { replyTo }) } })
    showDone(`A confirmation link was sent to ${email}`)
    changed()
  }
  const remove = async () => {
    await client.senders.remove({ path: { id } })
    showDone("The sender is deleted")
    removed()
  }
  return (
    <>
      <span class="name" title={replyTo === undefined ? email : `${email}, replies to ${replyTo}`}>
        <strong>{name}</strong> {email}
        {isDefault && <span class="tag">default</span>}
      </span>
      <span title={statusHints[verificationStatus]}>
        <Status value={verificationStatus} />
      </span>
      <Time value={createdAt} />
      <span class="row-actions">
        {verificationStatus === "failed" && (
          <ActionButton label="Send the link again" permission="domains.write" action={sendAgain} />
        )}
        <ActionButton
          label="Delete"
          kind="danger"
          permission="domains.write"
          confirm={`Delete the sender ${email}?${isDefault ? " Sends must then name their sender, because this is the default." : ""}`}
          action={remove}
        />
      </span>
    </>
  )
}
