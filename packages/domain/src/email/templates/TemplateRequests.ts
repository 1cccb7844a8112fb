import { Schema } from "effect"

const filled = (most: number) =>
  Schema.String.pipe(
    Schema.filter((text) => (text.length >= 1 && text.length <= most) || `must have 1 to ${most} characters`)
  )

/** What a subject may have, as it is written and as it is sent (RFC 5322 section 2.1.1). */
export const longestSubject = 998

const Name = filled(200)
const Subject = filled(longestSubject).pipe(
  Schema.filter((text) => !/[\r\n]/.test(text) || "must not contain line breaks")
)
const Html = Schema.String.pipe(Schema.filter((text) => text.length > 0 || "must not be empty"))

/** What is shown for a name that the data lacks. A name without one is required where it stands outside sections. */
export const TemplateFallback = Schema.Struct({
  name: Schema.String.annotations({ examples: ["name"] }),
  fallback: Schema.String.annotations({ examples: ["there"] })
}).annotations({ identifier: "TemplateFallback" })
export type TemplateFallback = typeof TemplateFallback.Type

const Fallbacks = Schema.Array(TemplateFallback)
  .pipe(
    Schema.filter((given) => {
      const names = given.map(({ name }) => name)
      return names.flatMap((name, at) =>
        names.indexOf(name) < at ? [{ path: [at, "name"], message: "must not be named twice" }] : []
      )
    })
  )
  .annotations({ title: "the fallbacks" })

/** A new template. What its parts ask for is found in them; `variables` gives some of it a fallback. */
export const CreateTemplate = Schema.Struct({
  name: Name,
  subject: Subject,
  html: Html,
  text: Schema.optional(Schema.String),
  variables: Schema.optional(Fallbacks)
}).annotations({ identifier: "CreateTemplate" })
export type CreateTemplate = typeof CreateTemplate.Type

/** What changes; the rest stays. Null takes the text away; `variables` takes the place of all fallbacks there were. */
export const UpdateTemplate = Schema.Struct({
  name: Schema.optional(Name),
  subject: Schema.optional(Subject),
  html: Schema.optional(Html),
  text: Schema.optional(Schema.NullOr(Schema.String)),
  variables: Schema.optional(Fallbacks)
}).annotations({ identifier: "UpdateTemplate" })
export type UpdateTemplate = typeof UpdateTemplate.Type

/** What a template is filled with. */
export const TemplateData = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type TemplateData = typeof TemplateData.Type

/** The data to try a template with. */
export const RenderTemplate = Schema.Struct({ data: Schema.optional(TemplateData) }).annotations({
  identifier: "RenderTemplate"
})
export type RenderTemplate = typeof RenderTemplate.Type

/** What a send with this data would say. */
export class RenderedTemplate extends Schema.Class<RenderedTemplate>("RenderedTemplate")({
  subject: Schema.String,
  html: Schema.String,
  text: Schema.String,
  missing: Schema.Array(Schema.String).annotations({
    description: "the required names that the data lacks: a send would be refused for them"
  })
}) {}

/** What a list of templates may be narrowed to; `search` looks into name and subject. */
export const TemplateFilters = Schema.Struct({ search: Schema.optional(Schema.String) })
export type TemplateFilters = typeof TemplateFilters.Type
