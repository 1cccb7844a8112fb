import { Schema } from "effect"
import { choice, clearable, oneOf } from "../../Fields.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { SearchText } from "../../Search.js"
import { line, text } from "../../Text.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

/** The maximum number of characters of a subject, before and after rendering (RFC 5322 section 2.1.1). */
export const maxSubjectLength = 998

/** The maximum size of the parts and fallbacks of a template together, in bytes: 256 KiB. */
export const maxTemplateBytes = 256 * 1024

const Name = text(1, 200)
const Subject = line(1, maxSubjectLength)
const Html = text(1, maxTemplateBytes)
const Text = text(0, maxTemplateBytes)

/** The channels of templates: messages are sent over them. */
export const TemplateChannel = choice("email", "sms", "whatsapp").annotations({ identifier: "TemplateChannel" })
export type TemplateChannel = typeof TemplateChannel.Type

/** The channel of a new template that names none. */
export const defaultTemplateChannel: TemplateChannel = "email"

/** The fallback of a variable that the data lacks. A variable outside sections without a fallback is required. */
export const TemplateFallback = Schema.Struct({
  name: Schema.String.annotations({ examples: ["name"] }),
  fallback: Schema.String.annotations({ examples: ["there"] })
}).annotations({ identifier: "TemplateFallback" })
export type TemplateFallback = typeof TemplateFallback.Type

const Fallbacks = Schema.Array(TemplateFallback)
  .pipe(
    Schema.filter((fallbacks) => {
      const names = fallbacks.map(({ name }) => name)
      return names.flatMap((name, at) =>
        names.indexOf(name) < at ? [{ path: [at, "name"], message: "must not be named twice" }] : []
      )
    })
  )
  .annotations({ title: "the fallbacks" })

/** The problems with the parts of a template: an e-mail has a subject and HTML, other channels have a text only. */
export const partProblems = (
  channel: TemplateChannel,
  parts: { readonly subject?: unknown; readonly html?: unknown; readonly text?: string | undefined }
): ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly message: string }> => {
  const isGiven = (name: "subject" | "html") => parts[name] !== undefined
  const names = ["subject", "html"] as const
  return channel === "email"
    ? names.flatMap((name) => (isGiven(name) ? [] : [{ path: [name], message: "is required" }]))
    : [
        ...names.flatMap((name) =>
          isGiven(name) ? [{ path: [name], message: `must not be given for the channel ${channel}` }] : []
        ),
        ...(parts.text ? [] : [{ path: ["text"], message: `is required for the channel ${channel}` }])
      ]
}

const settings = { name: Name, variables: Schema.optional(Fallbacks) }

/** A new template. Its variables are found in its parts; `variables` sets fallbacks. */
export const CreateTemplate = Schema.Struct({
  ...settings,
  channel: Schema.optional(TemplateChannel),
  subject: Schema.optional(Subject),
  html: Schema.optional(Html),
  text: Schema.optional(Text)
})
  .pipe(Schema.filter(({ channel = defaultTemplateChannel, ...parts }) => partProblems(channel, parts)))
  .annotations({
    identifier: "CreateTemplate",
    jsonSchema: oneOf(
      Schema.Struct({
        ...settings,
        channel: Schema.optional(Schema.Literal("email")),
        subject: Subject,
        html: Html,
        text: Schema.optional(Text)
      }),
      Schema.Struct({ ...settings, channel: Schema.Literal("sms", "whatsapp"), text: text(1, maxTemplateBytes) })
    )
  })
export type CreateTemplate = typeof CreateTemplate.Type

const changes = {
  subject: Schema.optional(Subject),
  html: Schema.optional(Html),
  text: clearable(Text),
  variables: clearable(Fallbacks)
}

/** The fields to change; omitted fields stay. Null resets a field that a creation may omit; `variables` replaces all fallbacks. */
export const UpdateTemplate = Schema.Struct({ name: Schema.optional(Name), ...changes }).annotations({
  identifier: "UpdateTemplate"
})
export type UpdateTemplate = typeof UpdateTemplate.Type

/** The data of a template. */
export const TemplateData = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type TemplateData = typeof TemplateData.Type

/** The data for a preview, and the changes that it shows without storing them. */
export const RenderTemplate = Schema.Struct({ data: Schema.optional(TemplateData), ...changes }).annotations({
  identifier: "RenderTemplate"
})
export type RenderTemplate = typeof RenderTemplate.Type

/** The content that a send with this data would have. */
export class RenderedTemplate extends Schema.Class<RenderedTemplate>("RenderedTemplate")({
  subject: Schema.optional(Schema.String),
  html: Schema.optional(Schema.String),
  text: Schema.String,
  missing: Schema.Array(Schema.String).annotations({
    description: "the required names that the data lacks: a send without them is rejected"
  })
}) {}

/** Filters of a list of templates; `search` matches name and subject. */
export const TemplateFilters = Schema.Struct({
  channel: Schema.optional(TemplateChannel),
  search: Schema.optional(SearchText)
})
export type TemplateFilters = typeof TemplateFilters.Type

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

/** A template of messages of a channel: its parts are Mustache. Only an e-mail has a subject and HTML. */
export class Template extends Schema.Class<Template>("Template")({
  id: TemplateId,
  organizationId: OrganizationId,
  name: Schema.String,
  channel: TemplateChannel,
  subject: Schema.optional(Schema.String),
  html: Schema.optional(Schema.String),
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
  subject: Schema.optional(Schema.String),
  html: Schema.optional(Schema.String),
  text: Schema.optional(Schema.String),
  variables: Schema.Array(TemplateVariable),
  createdAt: Timestamp
}) {}
