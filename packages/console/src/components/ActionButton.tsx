import type { Permission } from "@switchboard/domain/apiKeys/Permission"
import { useEffect } from "preact/hooks"
import { can } from "../app/SessionState.js"
import { showFailed } from "../app/Toasts.js"
import { FormDialog } from "./FormDialog.js"
import { Icon, type IconName } from "./Icon.js"
import { useAction } from "./UseAction.js"

interface ActionButtonProps {
  readonly label: string
  readonly icon?: IconName
  readonly kind?: "plain" | "primary" | "danger"
  /** The permission without which the button is not shown. */
  readonly permission: Permission
  /** What the action does: it is shown in a dialog, which asks to confirm. */
  readonly confirm?: string
  readonly action: () => Promise<void>
}

const PlainButton = ({ action, icon, kind = "plain", label, permission }: Omit<ActionButtonProps, "confirm">) => {
  const { busy, error, run } = useAction(action)
  useEffect(() => {
    if (error !== undefined) showFailed(error)
  }, [error])
  if (!can(permission)) return null
  return (
    <button type="button" class={`button ${kind}`} disabled={busy} onClick={() => void run()}>
      {icon !== undefined && <Icon name={icon} />}
      {label}
    </button>
  )
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
