import { Schema } from "effect"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

export const TemplateId = Uuid.pipe(Schema.brand("TemplateId"))
export type TemplateId = typeof TemplateId.Type

/** A variable of a template. */
export const TemplateVariable = Schema.Struct({
  name: Schema.String.annotations({ examples: ["name", "order.id"] }),
  required: Schema.Boolean.annotations({
    description: "whether a send must supply it: it is outside sections and has no fallback"
  }),
  fallback: Schema.optional(Schema.String.annotations({ description: "the text used if the data has no value" }))
}).annotations({ identifier: "TemplateVariable" })
export type TemplateVariable = typeof TemplateVariable.Type

/** A template of an e-mail: its subject, HTML and text are Mustache. */
export class Template extends Schema.Class<Template>("Template")({
  id: TemplateId,
  organizationId: OrganizationId,
  name: Schema.String,
  subject: Schema.String,
  html: Schema.String,
  text: Schema.optional(Schema.String),
  variables: Schema.Array(TemplateVariable),
  version: Schema.Int.annotations({ description: "a number that starts at 1 and increases with each change" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** The content of a template after one of its changes. */
export class TemplateVersion extends Schema.Class<TemplateVersion>("TemplateVersion")({
  templateId: TemplateId,
  version: Schema.Int.annotations({ description: "a number that starts at 1 and increases with each change" }),
  subject: Schema.String,
  html: Schema.String,
  text: Schema.optional(Schema.String),
  variables: Schema.Array(TemplateVariable),
  createdAt: Timestamp
}) {}
