import { Schema } from "effect"

const actions = {
  messages: ["read", "send", "delete"],
  email: ["read", "write"],
  domains: ["read", "write"],
  conversations: ["read", "write"],
  participants: ["read", "write"],
  drafts: ["read", "write"],
  templates: ["read", "write"],
  apiKeys: ["read", "write"],
  webhooks: ["read", "write"],
  organization: ["read", "write"],
  voice: ["read", "write"],
  whatsapp: ["read", "write"],
  analytics: ["read"]
} as const

type Actions = typeof actions

/** What an operation asks of a key: one action on one resource. */
export type Permission = { [R in keyof Actions]: `${R}.${Actions[R][number]}` }[keyof Actions]

/** What a key may do: each resource with its actions; `{"*": ["*"]}` grants all. */
export const Permissions = Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }).annotations({
  description: "a map from resources to actions"
})
export type Permissions = typeof Permissions.Type

const everything: Permissions = { "*": ["*"] }

const everyRead: Permissions = Object.fromEntries(Object.keys(actions).map((resource) => [resource, ["read"]]))

/** The permissions that a role's name stands for. */
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

export const RoleName = Schema.Literal("admin", "sender", "viewer")
export type RoleName = typeof RoleName.Type

const grants = (permissions: Permissions, resource: string, action: string): boolean => {
  const granted = Object.hasOwn(permissions, resource) ? permissions[resource] : undefined
  return granted !== undefined && (granted.includes(action) || granted.includes("*"))
}

/** Whether a key with these permissions may do this. */
export const permits = (permissions: Permissions, permission: Permission): boolean => {
  const [resource = "", action = ""] = permission.split(".")
  return grants(permissions, resource, action) || grants(permissions, "*", action)
}
