import { Schema } from "effect"
import { choice } from "../Choice.js"
import { IsoDateTime } from "../IsoDateTime.js"
import { GrantablePermissions, RoleName } from "./Permission.js"

const text = (max: number) =>
  Schema.String.pipe(
    Schema.filter((value) => (value.length >= 1 && value.length <= max) || `must have 1 to ${max} characters`)
  )

const Name = text(200)
const Description = text(1_000)
const Role = choice(...RoleName.literals)

/** The maximum time for which the old value still works after a rotation. */
export const maxGraceSeconds = 86_400

/** A new key. Its permissions are given by `permissions` or by `roleName`, never by both. */
export const CreateApiKey = Schema.Struct({
  name: Name,
  description: Schema.optional(Description),
  permissions: Schema.optional(GrantablePermissions),
  roleName: Schema.optional(Role),
  expiresAt: Schema.optional(IsoDateTime)
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
  .annotations({ identifier: "CreateApiKey" })
export type CreateApiKey = typeof CreateApiKey.Type

/** The fields to change; omitted fields stay. Null removes the description or the expiry. */
export const UpdateApiKey = Schema.Struct({
  name: Schema.optional(Name),
  description: Schema.optional(Schema.NullOr(Description)),
  permissions: Schema.optional(GrantablePermissions),
  roleName: Schema.optional(Role),
  expiresAt: Schema.optional(Schema.NullOr(IsoDateTime)),
  isActive: Schema.optional(Schema.Boolean)
})
  .pipe(
    Schema.filter(({ permissions, roleName }) =>
      permissions === undefined || roleName === undefined
        ? undefined
        : { path: ["roleName"], message: "must be left out where permissions are given" }
    )
  )
  .annotations({ identifier: "UpdateApiKey" })
export type UpdateApiKey = typeof UpdateApiKey.Type

const GraceSeconds = Schema.Number.pipe(
  Schema.filter(
    (seconds) =>
      (Number.isInteger(seconds) && seconds >= 0 && seconds <= maxGraceSeconds) ||
      `must be a whole number from 0 to ${maxGraceSeconds}`
  )
).annotations({ jsonSchema: { type: "integer", minimum: 0, maximum: maxGraceSeconds, default: 0 } })

/** The number of seconds for which the old value still works. */
export const RotateApiKey = Schema.Struct({ gracePeriodSeconds: Schema.optional(GraceSeconds) }).annotations({
  identifier: "RotateApiKey"
})
export type RotateApiKey = typeof RotateApiKey.Type

/** Filters of a list of keys; `search` matches name, description and start. */
export const ApiKeyFilters = Schema.Struct({
  isActive: Schema.optional(Schema.Boolean),
  search: Schema.optional(Schema.String)
})
export type ApiKeyFilters = typeof ApiKeyFilters.Type
