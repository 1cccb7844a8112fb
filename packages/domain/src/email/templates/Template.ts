import { Schema } from "effect"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

export const TemplateId = Uuid.pipe(Schema.brand("TemplateId"))
export type TemplateId = typeof TemplateId.Type

/** A name that a template asks its data for. */
export const TemplateVariable = Schema.Struct({
  name: Schema.String.annotations({ examples: ["name", "order.id"] }),
  required: Schema.Boolean.annotations({
    description: "whether it stands outside sections and has no fallback: a send must give it"
  }),
  fallback: Schema.optional(
    Schema.String.annotations({ description: "the text that is shown where the data has none" })
  )
}).annotations({ identifier: "TemplateVariable" })
export type TemplateVariable = typeof TemplateVariable.Type

/** What an e-mail is made from, together with data. Its parts are Mustache. */
export class Template extends Schema.Class<Template>("Template")({
  id: TemplateId,
  organizationId: OrganizationId,
  name: Schema.String,
  subject: Schema.String,
  html: Schema.String,
  text: Schema.optional(Schema.String),
  variables: Schema.Array(TemplateVariable),
  version: Schema.Int.annotations({ description: "a number that counts from 1, one more with each change" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
