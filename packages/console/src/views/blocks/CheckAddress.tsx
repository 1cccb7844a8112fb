import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import type { BlockCheck } from "../../app/Types.js"
import { Dialog } from "../../components/Dialog.js"
import { TextField } from "../../components/Field.js"
import { FormDialog } from "../../components/FormDialog.js"
import { requiredText } from "../../components/FormValues.js"
import { Time } from "../../components/Time.js"
import { blockReason, blockScope } from "./BlockText.js"

interface Checked {
  readonly email: string
  readonly result: BlockCheck
}

/** Says whether mail to an address is blocked, and by which blocks. */
export const CheckAddress = () => {
  const [checked, setChecked] = useState<Checked>()
  const check = async (form: FormData) => {
    const email = requiredText(form, "email")
    setChecked({ email, result: await client.blocks.check({ urlParams: { email } }) })
  }
  return (
    <>
      <FormDialog label="Check an address" permission="email.read" submitLabel="Check" submit={check}>
        <TextField label="Address" name="email" inputMode="email" required placeholder="ada@example.com" />
      </FormDialog>
      {checked !== undefined && (
        <Dialog title={checked.email} onClose={() => setChecked(undefined)}>
          {checked.result.blocked ? (
            <ul class="plain-list">
              {checked.result.blocks.map((block) => (
                <li key={block.id}>
                  Blocked: {blockScope(block)} ({blockReason(block)}, <Time value={block.createdAt} />)
                </li>
              ))}
            </ul>
          ) : (
            <p>Not blocked: mail is sent to this address.</p>
          )}
        </Dialog>
      )}
    </>
  )
}
