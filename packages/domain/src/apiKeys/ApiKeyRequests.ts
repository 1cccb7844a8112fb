import { Schema } from "effect"
import { choice } from "../Choice.js"
import { clearable } from "../Clearable.js"
import { IsoDateTime } from "../IsoDateTime.js"
import { oneOf } from "../OneOf.js"
import { SearchText } from "../Search.js"
import { text } from "../Text.js"
import { wholeNumber } from "../WholeNumber.js"
import { GrantablePermissions, RoleName } from "./Permission.js"

const Name = text(1, 200)
const Description = text(1, 1_000)
const Role = choice(...RoleName.literals)

/** The maximum time for which the old value still works after a rotation. */
export const maxGraceSeconds = 86_400

const newKey = {
  name: Name,
  description: Schema.optional(Description),
  expiresAt: Schema.optional(IsoDateTime)
}

/** A new key. Its permissions are given by `permissions` or by `roleName`, never by both. */
export const CreateApiKey = Schema.Struct({
  ...newKey,
  permissions: Schema.optional(GrantablePermissions),
  roleName: Schema.optional(Role)
})
  .pipe(
    Schema.filter(({ permissions, roleName }) => {
      if (permissions === undefined && roleName === undefined) {
        return { path: ["permissions"], message: "is required without roleName" }
      }
      return permissions === undefined || roleName === undefined
        ? undefined
        : { path: ["roleName"], message: "must be left out where permissions are given" }
    })
  )
  .annotations({
    identifier: "CreateApiKey",
    jsonSchema: oneOf(
      Schema.Struct({ ...newKey, permissions: GrantablePermissions }),
      Schema.Struct({ ...newKey, roleName: Role })
    )
  })
export type CreateApiKey = typeof CreateApiKey.Type

/** The fields to change; omitted fields stay. Null removes the description or the expiry. */
export const UpdateApiKey = Schema.Struct({
  name: Schema.optional(Name),
  description: clearable(Description),
  permissions: Schema.optional(GrantablePermissions),
  roleName: Schema.optional(Role),
  expiresAt: clearable(IsoDateTime),
  isActive: Schema.optional(Schema.Boolean)
})
  .pipe(
    Schema.filter(
      ({ permissions, roleName }) =>
        permissions === undefined || roleName === undefined
          ? undefined
          : { path: ["roleName"], message: "must be left out where permissions are given" },
      { jsonSchema: { not: { required: ["permissions", "roleName"] } } }
    )
  )
  .annotations({ identifier: "UpdateApiKey" })
export type UpdateApiKey = typeof UpdateApiKey.Type

const GraceSeconds = wholeNumber(0, maxGraceSeconds, { default: 0 })

/** The number of seconds for which the old value still works. */
export const RotateApiKey = Schema.Struct({ gracePeriodSeconds: Schema.optional(GraceSeconds) }).annotations({
  identifier: "RotateApiKey"
})
export type RotateApiKey = typeof RotateApiKey.Type

/** Filters of a list of keys; `search` matches name, description and start. */
export const ApiKeyFilters = Schema.Struct({
  isActive: Schema.optional(Schema.Boolean),
  search: Schema.optional(SearchText)
})
export type ApiKeyFilters = typeof ApiKeyFilters.Type
