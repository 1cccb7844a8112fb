import { Schema } from "effect"
import { choice } from "../Choice.js"
import { IsoDateTime } from "../IsoDateTime.js"
import { GrantablePermissions, RoleName } from "./Permission.js"

const text = (most: number) =>
  Schema.String.pipe(
    Schema.filter((value) => (value.length >= 1 && value.length <= most) || `must have 1 to ${most} characters`)
  )

const Name = text(200)
const Description = text(1_000)
const Role = choice(...RoleName.literals)

/** How long an old value may still work after its key was rotated. */
export const longestGraceSeconds = 86_400

/** A new key. What it may do is said by its permissions or by the name of a role, never by both. */
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

/** What changes; the rest stays. Null takes a description or an expiry away. */
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
      (Number.isInteger(seconds) && seconds >= 0 && seconds <= longestGraceSeconds) ||
      `must be a whole number from 0 to ${longestGraceSeconds}`
  )
).annotations({ jsonSchema: { type: "integer", minimum: 0, maximum: longestGraceSeconds, default: 0 } })

/** For how many seconds the old value works beside the new one. */
export const RotateApiKey = Schema.Struct({ gracePeriodSeconds: Schema.optional(GraceSeconds) }).annotations({
  identifier: "RotateApiKey"
})
export type RotateApiKey = typeof RotateApiKey.Type

/** What a list of keys may be narrowed to; `search` looks into name, description and start. */
export const ApiKeyFilters = Schema.Struct({
  isActive: Schema.optional(Schema.Boolean),
  search: Schema.optional(Schema.String)
})
export type ApiKeyFilters = typeof ApiKeyFilters.Type
