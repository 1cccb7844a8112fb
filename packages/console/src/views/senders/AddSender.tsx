import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import { CheckField, TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { isChecked, requiredText, textOf } from "../../components/FormValues.js"

/** The form of a new sender. */
export const AddSender = ({ added }: { readonly added: () => void }) => {
  const add = async (form: FormData) => {
    const replyTo = textOf(form, "replyTo")
    const { email, verificationStatus } = await client.senders.create({
      payload: {
        email: requiredText(form, "email"),
        name: requiredText(form, "name"),
        isDefault: isChecked(form, "isDefault"),
        ...(replyTo === undefined ? {} : { replyTo })
      }
    })
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
