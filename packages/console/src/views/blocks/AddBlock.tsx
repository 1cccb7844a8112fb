import { client } from "../../app/Client.js"
import { showDone } from "../../app/Toasts.js"
import { TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText, textOf } from "../../components/FormValues.js"

/** A text with an @ is an address, another one a domain. */
const targetOf = (value: string) => (value.includes("@") ? { email: value } : { domain: value })

/** The form of a new block. */
export const AddBlock = ({ added }: { readonly added: () => void }) => {
  const add = async (form: FormData) => {
    const category = textOf(form, "category")
    const expiresAt = textOf(form, "expiresAt")
    const { value } = await client.blocks.create({
      payload: {
        ...targetOf(requiredText(form, "value")),
        reason: "manual",
        ...(category === undefined ? {} : { category }),
        ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) })
      }
    })
    showDone(`${value} is blocked`)
    added()
  }
  return (
    <FormDialog label="Add a block" kind="primary" permission="email.write" submitLabel="Block" submit={add}>
      <TextField
        label="Address or domain"
        name="value"
        inputMode="email"
        required
        placeholder="ada@example.com"
        hint="A block on a domain does not apply to its subdomains."
      />
      <TextField label="Category" name="category" placeholder="all mail" hint="Empty: no mail at all is sent." />
      <TextField label="Ends" name="expiresAt" isTime hint="Default: never." />
    </FormDialog>
  )
}
