import type { Permission } from "@switchboard/domain/apiKeys/Permission"
import { useEffect } from "preact/hooks"
import { can } from "../app/SessionState.js"
import { showFailed } from "../app/Toasts.js"
import { Icon, type IconName } from "./Icon.js"
import { useAction } from "./UseAction.js"

interface ActionButtonProps {
  readonly label: string
  readonly icon?: IconName
  readonly kind?: "plain" | "primary" | "danger"
  /** The permission without which the button is not shown. */
  readonly permission: Permission
  readonly action: () => Promise<void>
}

/** A button that runs an action of the service. Its failure is shown as a toast. */
export const ActionButton = ({ action, icon, kind = "plain", label, permission }: ActionButtonProps) => {
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
