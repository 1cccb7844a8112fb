import { Schema } from "effect"

/** The result of one check of the installation. */
export const Finding = Schema.Struct({
  level: Schema.Literal("ok", "warning", "error").annotations({
    description:
      "`warning`: the service works, but the operator should act; `error`: the service does not work as configured."
  }),
  subject: Schema.String,
  advice: Schema.optional(
    Schema.Array(Schema.String).annotations({ description: "The problem and its remedy, in lines; left out if ok." })
  )
}).annotations({ identifier: "Finding" })
export type Finding = typeof Finding.Type
