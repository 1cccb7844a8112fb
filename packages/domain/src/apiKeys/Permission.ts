import { Schema } from "effect"
import { narrowedTo } from "../Fields.js"

/** The actions of each resource. */
export const resourceActions = {
  messages: ["read", "send", "delete"],
  email: ["read", "write"],
  domains: ["read", "write"],
  conversations: ["read", "write"],
  participants: ["read", "write"],
  drafts: ["read", "write"],
  templates: ["read", "write"],
  apiKeys: ["read", "write"],
  users: ["read", "write"],
  webhooks: ["read", "write"],
  organization: ["read", "write"],
  voice: ["read", "write"],
  whatsapp: ["read", "write"],
  analytics: ["read"],
  audit: ["read"]
} as const

type Actions = typeof resourceActions

/** The actions on the installation. `*` does not include them, and they are granted only on the command line. */
export const installationActions = { system: ["read"] } as const

/** The permission that an operation requires: one action on one resource. */
export type Permission = { [R in keyof Actions]: `${R}.${Actions[R][number]}` }[keyof Actions] | "system.read"

/** The permissions of a key: the actions by resource; `{"*": ["*"]}` grants all. */
export const Permissions = Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }).annotations({
  description: "a map from resources to actions"
})
export type Permissions = typeof Permissions.Type

const allActions: ReadonlyArray<string> = [...new Set(Object.values(resourceActions).flat())]
const grantable: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ...Object.entries(resourceActions),
  ["*", allActions]
]
const known = new Map([...grantable, ...Object.entries(installationActions)])

/** The error message for the actions that a request grants on a resource. */
const problemOf = (resource: string, granted: ReadonlyArray<string>): string | undefined => {
  const actions = known.get(resource)
  if (actions === undefined) return `is not a resource: only ${Object.keys(resourceActions).join(", ")} or *`
  const unknown = granted.find((action) => action !== "*" && !actions.includes(action))
  if (unknown !== undefined) return `has no action ${unknown}: only ${actions.join(", ")} or *`
  return new Set(granted).size < granted.length ? "must name each action once" : undefined
}

/** Permissions with known resources and actions only; `*` means all. */
export type GrantablePermissions = {
  readonly [R in keyof Actions]?: ReadonlyArray<Actions[R][number] | "*">
} & { readonly "*"?: ReadonlyArray<Actions[keyof Actions][number] | "*"> }

const problemsOf = (permissions: Permissions) =>
  Object.entries(permissions).flatMap(([resource, granted]) => {
    const message = problemOf(resource, granted)
    return message === undefined ? [] : [{ path: [resource], message }]
  })

const Validated = Permissions.pipe(Schema.filter(problemsOf)).annotations({
  identifier: "GrantablePermissions",
  description: "a map from resources to actions",
  jsonSchema: {
    type: "object",
    description: 'Each resource with its actions; "*" means all.',
    properties: Object.fromEntries(
      grantable.map(([resource, actions]) => [
        resource,
        { type: "array", items: { type: "string", enum: [...actions, "*"] }, uniqueItems: true }
      ])
    ),
    additionalProperties: false
  },
  ...narrowedTo(
    Schema.Struct(
      Object.fromEntries(
        grantable.map(([resource, actions]) => [
          resource,
          Schema.optionalWith(Schema.Array(Schema.Literal(...actions, "*")), { exact: true })
        ])
      )
    )
  )
})

/** Permissions in a request. The filter enforces the type at run time. */
export const GrantablePermissions = Schema.make<GrantablePermissions, Permissions>(Validated.ast)

/** Whether a request can grant these permissions: all resources and actions are known. */
export const isGrantable = Schema.is(GrantablePermissions)

const everything: Permissions = { "*": ["*"] }

const everyRead: Permissions = Object.fromEntries(Object.keys(resourceActions).map((resource) => [resource, ["read"]]))

/** The permissions of each role. */
export const rolePermissions = {
  admin: everything,
  sender: {
    messages: ["read", "send"],
    templates: ["read"],
    email: ["read"],
    domains: ["read"],
    drafts: ["read", "write"]
  },
  viewer: everyRead
} as const satisfies Record<string, Permissions>

/** The permissions of the operator of the installation: those of an admin, and the actions on the installation. */
export const operatorPermissions: Permissions = { ...everything, ...installationActions }

export const RoleName = Schema.Literal("admin", "sender", "viewer")
export type RoleName = typeof RoleName.Type

const grants = (permissions: Permissions, resource: string, action: string): boolean => {
  const granted = Object.hasOwn(permissions, resource) ? permissions[resource] : undefined
  return granted !== undefined && (granted.includes(action) || granted.includes("*"))
}

const isOfInstallation = (resource: string): boolean => Object.hasOwn(installationActions, resource)

/** Whether permissions include an action, on the resource or on all resources of an organization. */
const includes = (permissions: Permissions, resource: string, action: string): boolean =>
  grants(permissions, resource, action) || (!isOfInstallation(resource) && grants(permissions, "*", action))

/** The permissions on the installation among others. A request neither grants nor removes them. */
export const installationPart = (permissions: Permissions): Permissions =>
  Object.fromEntries(Object.entries(permissions).filter(([resource]) => isOfInstallation(resource)))

/** Whether these permissions include a permission. */
export const permits = (permissions: Permissions, permission: Permission): boolean => {
  const [resource = "", action = ""] = permission.split(".")
  return includes(permissions, resource, action)
}

/**
 * The requested permissions that the granter does not have, like `messages.send`. Only `*` covers `*`, because it
 * includes the resources and actions of later releases.
 */
export const uncovered = (granter: Permissions, requested: Permissions): ReadonlyArray<string> =>
  Object.entries(requested).flatMap(([resource, actions]) =>
    actions.filter((action) => !includes(granter, resource, action)).map((action) => `${resource}.${action}`)
  )

/** Whether a granter with these permissions may grant the requested ones. */
export const covers = (granter: Permissions, requested: Permissions): boolean =>
  uncovered(granter, requested).length === 0
