import type { Permission } from "@switchboard/domain/apiKeys/Permission"
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { can } from "../app/SessionState.js"
import { Dialog } from "./Dialog.js"
import { ErrorNotice } from "./ErrorNotice.js"
import { Icon, type IconName } from "./Icon.js"
import { useAction } from "./UseAction.js"

interface FormProps {
  readonly title: string
  /** The label of the button that submits. */
  readonly submitLabel: string
  readonly isDanger?: boolean
  /** The form stays open with the error if this rejects. */
  readonly submit: (form: FormData) => Promise<void>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

const OpenForm = ({ children, isDanger = false, onClose, submit, submitLabel, title }: FormProps) => {
  const { busy, error, run } = useAction(async (form: FormData) => {
    await submit(form)
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void run(new FormData(event.currentTarget))
        }}
      >
        {children}
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="form-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={`button ${isDanger ? "danger" : "primary"}`} disabled={busy}>
            {submitLabel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

export interface FormDialogProps extends Omit<FormProps, "onClose" | "title"> {
  /** The label of the button that opens the dialog, and the title of the dialog. */
  readonly label: string
  readonly icon?: IconName
  readonly kind?: "plain" | "primary" | "danger"
  /** The permission without which the button is not shown. */
  readonly permission: Permission
}

/** A button that opens a form in a dialog. */
export const FormDialog = ({ icon, kind = "plain", label, permission, ...form }: FormDialogProps) => {
  const [isOpen, setOpen] = useState(false)
  if (!can(permission)) return null
  return (
    <>
      <button type="button" class={`button ${kind}`} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {icon !== undefined && <Icon name={icon} />}
        {label}
      </button>
      {isOpen && <OpenForm {...form} title={label} isDanger={kind === "danger"} onClose={() => setOpen(false)} />}
    </>
  )
}
