import {
  covers,
  type GrantablePermissions,
  isGrantable,
  type Permissions,
  RoleName,
  resourceActions,
  rolePermissions
} from "@switchboard/domain/apiKeys/Permission"
import { useState } from "preact/hooks"
import { canGrant } from "../app/SessionState.js"
import type { ApiKey } from "../app/Types.js"
import { requiredText, TextField, textOf, textsOf, timeOf } from "../components/Fields.js"

/** What each role may do. */
export const roleHints = {
  admin: "everything",
  sender: "sends messages, and reads templates, domains and e-mail",
  viewer: "reads everything",
  custom: "chosen actions"
} as const

const roles = [...RoleName.literals, "custom"] as const
type Role = (typeof roles)[number]

/** The permissions that a form grants, as the request names them. */
const grantedBy = (form: FormData): { roleName: RoleName } | { permissions: GrantablePermissions } => {
  const roleName = RoleName.literals.find((role) => role === form.get("role"))
  if (roleName !== undefined) return { roleName }
  const permissions = Object.fromEntries(
    Object.keys(resourceActions).flatMap((resource) => {
      const actions = textsOf(form, resource)
      return actions.length === 0 ? [] : [[resource, actions]]
    })
  )
  return { permissions: isGrantable(permissions) ? permissions : {} }
}

/** The role of a key. A key with all permissions has that of an administrator. */
const roleOf = ({ permissions, roleName }: ApiKey): Role =>
  roleName ?? (permissions["*"]?.includes("*") === true ? "admin" : "custom")

/** The actions by resource. Actions that the session lacks cannot be granted. */
const ActionFields = ({ granted }: { readonly granted: Permissions }) => (
  <fieldset class="permissions">
    <legend>Actions</legend>
    {Object.entries(resourceActions).map(([resource, actions]) => (
      <fieldset key={resource}>
        <legend>{resource}</legend>
        {actions.map((action) => (
          <label key={action} class="check">
            <input
              type="checkbox"
              name={resource}
              value={action}
              defaultChecked={covers(granted, { [resource]: [action] })}
              disabled={!canGrant({ [resource]: [action] })}
            />
            <span>{action}</span>
          </label>
        ))}
      </fieldset>
    ))}
  </fieldset>
)

/** A role, or each action of each resource. The permissions of the session are the most that it can grant. */
const PermissionFields = ({ apiKey }: { readonly apiKey?: ApiKey }) => {
  const granted = apiKey?.permissions ?? {}
  const [role, setRole] = useState<Role>(apiKey === undefined ? "sender" : roleOf(apiKey))
  return (
    <>
      <fieldset>
        <legend>Permissions</legend>
        {roles.map((name) => (
          <label key={name} class="check">
            <input
              type="radio"
              name="role"
              value={name}
              checked={role === name}
              disabled={name !== "custom" && !canGrant(rolePermissions[name])}
              onChange={() => setRole(name)}
            />
            <span>
              {name} <small>{roleHints[name]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {role === "custom" && <ActionFields granted={granted} />}
    </>
  )
}

/** The request of a form. Empty fields are undefined. */
export const keyOf = (form: FormData) => ({
  name: requiredText(form, "name"),
  description: textOf(form, "description"),
  expiresAt: timeOf(form, "expiresAt"),
  ...grantedBy(form)
})

/** The fields of a new key, or of one to change. */
export const KeyFields = ({ apiKey }: { readonly apiKey?: ApiKey }) => (
  <>
    <TextField label="Name" name="name" required placeholder="shop" value={apiKey?.name} />
    <TextField label="Description" name="description" value={apiKey?.description} />
    <TextField label="Expires" name="expiresAt" isTime value={apiKey?.expiresAt} hint="Default: never." />
    <PermissionFields {...(apiKey === undefined ? {} : { apiKey })} />
  </>
)
