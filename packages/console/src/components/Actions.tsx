import type { Permission } from "@switchboard/domain/apiKeys/Permission"
import type { ComponentChildren, TargetedEvent } from "preact"
import { useEffect, useState } from "preact/hooks"
import { navigate } from "../app/Location.js"
import { can } from "../app/SessionState.js"
import { Dialog } from "./Dialog.js"
import { Icon, type IconName } from "./Icon.js"
import { ErrorNotice, showDone, showFailed } from "./Notices.js"

interface ActionState {
  readonly busy: boolean
  readonly error?: unknown
}

/** What follows an action that succeeds. */
interface Success {
  /** Shown as a toast. */
  readonly done?: string
  /** The URL of the view that opens. */
  readonly to?: string
}

/** Runs an action once at a time, with its progress and its error. */
export const useAction = <Args extends ReadonlyArray<unknown>>(
  action: (...args: Args) => Promise<unknown>,
  { done, to }: Success = {}
) => {
  const [state, setState] = useState<ActionState>({ busy: false })
  const run = async (...args: Args) => {
    if (state.busy) return
    setState({ busy: true })
    try {
      await action(...args)
      setState({ busy: false })
      if (done !== undefined) showDone(done)
      if (to !== undefined) navigate(to)
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return { ...state, run }
}

/** Runs an action with what a form has when it is submitted. */
export const submitTo =
  (run: (form: FormData) => Promise<void>) =>
  (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void run(new FormData(event.currentTarget))
  }

interface PlainButtonProps {
  readonly label: string
  readonly icon?: IconName | undefined
  readonly kind?: "plain" | "primary" | "danger"
  readonly disabled?: boolean
  /** Whether it opens a dialog. */
  readonly isOpening?: boolean
  readonly press: () => unknown
}

/** A button with an optional icon. */
export const Button = ({ disabled, icon, isOpening = false, kind = "plain", label, press }: PlainButtonProps) => (
  <button
    type="button"
    class={`button ${kind}`}
    aria-haspopup={isOpening ? "dialog" : undefined}
    disabled={disabled}
    onClick={() => void press()}
  >
    {icon !== undefined && <Icon name={icon} />}
    {label}
  </button>
)

interface FormProps extends Success {
  readonly title: string
  /** The label of the button that submits. */
  readonly submitLabel: string
  readonly isDanger?: boolean
  /** The form stays open with the error if this rejects. */
  readonly submit: (form: FormData) => Promise<unknown>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A form in a dialog. */
export const OpenForm = ({
  children,
  isDanger = false,
  onClose,
  submit,
  submitLabel,
  title,
  ...success
}: FormProps) => {
  const { busy, error, run } = useAction(async (form: FormData) => {
    await submit(form)
    onClose()
  }, success)
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={submitTo(run)}>
        {children}
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="form-actions">
          <Button label="Cancel" press={onClose} />
          <button type="submit" class={`button ${isDanger ? "danger" : "primary"}`} disabled={busy}>
            {submitLabel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ButtonProps {
  readonly label: string
  readonly icon?: IconName
  readonly kind?: "plain" | "primary" | "danger"
  /** The permission without which the button is not shown. */
  readonly permission: Permission
}

/** The label of the button is the title of the dialog, too. */
export type FormDialogProps = ButtonProps & Omit<FormProps, "onClose" | "title">

/** A button that opens a form in a dialog. */
export const FormDialog = ({ icon, kind = "plain", label, permission, ...form }: FormDialogProps) => {
  const [isOpen, setOpen] = useState(false)
  if (!can(permission)) return null
  return (
    <>
      <Button label={label} icon={icon} kind={kind} isOpening press={() => setOpen(true)} />
      {isOpen && <OpenForm {...form} title={label} isDanger={kind === "danger"} onClose={() => setOpen(false)} />}
    </>
  )
}

export interface ActionButtonProps extends ButtonProps, Success {
  /** What the action does: it is shown in a dialog, which asks to confirm. */
  readonly confirm?: string
  readonly action: () => Promise<unknown>
}

const PlainButton = ({ action, icon, kind = "plain", label, permission, ...success }: ActionButtonProps) => {
  const { busy, error, run } = useAction(action, success)
  useEffect(() => {
    if (error !== undefined) showFailed(error)
  }, [error])
  return can(permission) ? <Button label={label} icon={icon} kind={kind} disabled={busy} press={run} /> : null
}

/** A button that runs an action of the service. Its failure is shown as a toast, or in the dialog that asks to confirm. */
export const ActionButton = ({ action, confirm, ...button }: ActionButtonProps) =>
  confirm === undefined ? (
    <PlainButton {...button} action={action} />
  ) : (
    <FormDialog {...button} submitLabel={button.label} submit={action}>
      <p>{confirm}</p>
    </FormDialog>
  )

interface LinkButtonProps {
  readonly label: string
  readonly href: string
  readonly kind?: "plain" | "primary"
  /** The name of the file that the link downloads. */
  readonly download?: string
}

/** A link to another view, or to a file. */
export const LinkButton = ({ download, href, kind = "plain", label }: LinkButtonProps) => (
  <a class={`button ${kind}`} href={href} download={download}>
    {label}
  </a>
)
