import { client } from "../app/Client.js"
import type { EmailSender } from "../app/Types.js"
import { ActionButton, FormDialog } from "../components/Actions.js"
import { Status, Time } from "../components/Facts.js"
import { feedStep } from "../components/Feed.js"
import { CheckField, isChecked, requiredText, TextField, textOf } from "../components/Fields.js"
import { filterChoice, filterText, listView } from "../components/ListView.js"
import { showDone } from "../components/Notices.js"
import { DeleteButton } from "../components/Resource.js"

/** The form of a new sender. */
const AddSender = ({ added }: { readonly added: () => void }) => {
  const add = async (form: FormData) => {
    const payload = {
      email: requiredText(form, "email"),
      name: requiredText(form, "name"),
      isDefault: isChecked(form, "isDefault"),
      replyTo: textOf(form, "replyTo")
    }
    const { email, verificationStatus } = await client.senders.create({ payload })
    showDone(verificationStatus === "verified" ? `${email} can send now` : `A confirmation link was sent to ${email}`)
    added()
  }
  return (
    <FormDialog label="Add a sender" kind="primary" permission="domains.write" submitLabel="Add" submit={add}>
      <TextField
        label="Address"
        name="email"
        inputMode="email"
        required
        placeholder="orders@example.com"
        hint="On a verified domain it can send at once; otherwise it gets a confirmation link."
      />
      <TextField label="Name" name="name" required placeholder="Orders" hint="Recipients see it beside the address." />
      <TextField label="Replies to" name="replyTo" inputMode="email" placeholder="the same address" />
      <CheckField label="The default sender" name="isDefault" />
    </FormDialog>
  )
}

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
const SenderRow = ({ changed, removed, sender }: SenderRowProps) => {
  const { createdAt, email, id, isDefault, name, replyTo, verificationStatus } = sender
  const sendAgain = async () => {
    await client.senders.create({ payload: { email, name, isDefault, replyTo } })
    changed()
  }
  const remove = async () => {
    await client.senders.remove({ path: { id } })
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
          <ActionButton
            label="Send the link again"
            permission="domains.write"
            action={sendAgain}
            done={`A confirmation link was sent to ${email}`}
          />
        )}
        <DeleteButton
          permission="domains.write"
          confirm={`Delete the sender ${email}?${isDefault ? " Sends must then name their sender, because this is the default." : ""}`}
          action={remove}
          done="The sender is deleted"
        />
      </span>
    </>
  )
}

const statuses = ["pending", "verified", "failed"] as const

/** The addresses that the organization sends from, newest first. */
export const SendersView = listView({
  title: "Senders",
  noun: "sender",
  search: "Find by address or name",
  choices: { status: statuses },
  filters: () => ({ search: filterText("search"), verificationStatus: filterChoice("status", statuses) }),
  open: (filters, signal) => client.senders.list.all({ urlParams: { filters, limit: feedStep } }, { signal }),
  events: ["email_sender.", "email_domain."],
  layout: "senders",
  columns: { Sender: 1, Status: "104px", Added: "96px", "": "218px" },
  row: (sender, { feed, refresh }) => (
    <SenderRow sender={sender} changed={refresh} removed={() => feed.remove(sender.id)} />
  ),
  empty: "Add an address to send from:",
  example: ["/email/senders", { email: "orders@example.com", name: "Orders" }],
  actions: ({ refresh }) => <AddSender added={refresh} />
})
