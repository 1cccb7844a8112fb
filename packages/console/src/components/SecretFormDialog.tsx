import { useState } from "preact/hooks"
import { Dialog } from "./Dialog.js"
import { FormDialog, type FormDialogProps } from "./FormDialog.js"
import { Identifier } from "./Identifier.js"

interface Secret {
  /** The secret that the service shows only once. */
  readonly value: string
  /** Called when the dialog with the secret is closed. */
  readonly done: () => void
}

interface SecretFormDialogProps extends Omit<FormDialogProps, "submit"> {
  /** What the secret is called: `key`. */
  readonly secretName: string
  readonly submit: (form: FormData) => Promise<Secret>
}

/** A form with a secret as its result. The secret is in the memory of the page until its dialog is closed. */
export const SecretFormDialog = ({ secretName, submit, ...form }: SecretFormDialogProps) => {
  const [secret, setSecret] = useState<Secret>()
  const close = () => {
    setSecret(undefined)
    secret?.done()
  }
  return (
    <>
      <FormDialog {...form} submit={async (data) => setSecret(await submit(data))} />
      {secret !== undefined && (
        <Dialog title={`The new ${secretName}`} onClose={close}>
          <div class="form">
            <p>Copy the {secretName} now: it is not shown again.</p>
            <Identifier label={secretName} value={secret.value} />
            <div class="form-actions">
              <button type="button" class="button primary" onClick={close}>
                Done
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
