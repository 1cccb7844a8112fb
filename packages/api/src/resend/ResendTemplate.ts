import { CreateTemplate, type Template, TemplateId, UpdateTemplate } from "@switchboard/domain/email/templates/Template"
import { DateTime, Effect, Predicate, Schema } from "effect"
import { decodeBody, invalid } from "../http/body/DecodeBody.js"
import { onlyField, renameFields } from "./ResendShapes.js"

/** A part of a template. Mustache would read a fallback in a tag as a part of the name. */
const part = Schema.String.pipe(
  Schema.filter(
    (text) =>
      !/\{\{\{[^{}|]{0,200}\|/.test(text) ||
      "must have no fallback in a tag like `{{{NAME|there}}}`: give the variable a `fallback_value`"
  )
)

const Variable = Schema.Struct({
  key: Schema.String,
  type: onlyField(["string", "number"], "must be `string` or `number`, which is stored as `string`"),
  fallback_value: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Number)))
})

const settings = {
  subject: Schema.optional(part),
  html: Schema.optional(part),
  text: Schema.optional(Schema.NullOr(part)),
  alias: Schema.optional(Schema.NullOr(Schema.String)).annotations({
    description: "the same as `name`, which finds the template"
  }),
  from: onlyField([null], "is not stored in a template: give it to each send"),
  reply_to: onlyField([null], "is not stored in a template: give it to each send"),
  variables: Schema.optional(Schema.Array(Variable))
}

/** The body of POST /templates. */
export const ResendNewTemplate = Schema.Struct({ name: Schema.String, ...settings }).annotations({
  identifier: "CreateTemplateRequest"
})

/** The body of PATCH /templates/{id}. */
export const ResendTemplateChange = Schema.Struct({ name: Schema.optional(Schema.String), ...settings }).annotations({
  identifier: "UpdateTemplateRequest"
})

type Change = typeof ResendTemplateChange.Type

/** Gives the fields of errors about a template their names in this API. Only variables with a fallback are passed on. */
export const withTemplateFields = ({ variables = [] }: Change) => {
  const places = variables.flatMap(({ fallback_value }, at) => (Predicate.isNullable(fallback_value) ? [] : [at]))
  return renameFields((field) =>
    field.replace(
      /^variables\.(\d+)\.(\w+)$/,
      (_, index, name) => `variables.${places[index] ?? index}.${name === "name" ? "key" : "fallback_value"}`
    )
  )
}

const decodeNew = decodeBody(CreateTemplate)
const decodeChange = decodeBody(UpdateTemplate)

/** The fields of a template that this service has, too. A variable without a fallback is found in the parts. */
const toFields = ({ alias: _, from: __, reply_to: ___, variables, ...fields }: Change) => ({
  ...fields,
  ...(variables === undefined
    ? {}
    : {
        variables: variables.flatMap(({ fallback_value, key }) =>
          Predicate.isNullable(fallback_value) ? [] : [{ name: key, fallback: `${fallback_value}` }]
        )
      })
})

const checkAlias = (alias: string | null | undefined, name: string) =>
  Predicate.isNullable(alias) || alias === name
    ? Effect.void
    : invalid({ alias: ["must be the same as `name`, or left out: a template is found by its id or its name"] })

/** The body of POST /v1/email/templates that creates the same template. */
export const toNewTemplate = ({ text, ...rest }: typeof ResendNewTemplate.Type) =>
  Effect.zipRight(
    checkAlias(rest.alias, rest.name),
    decodeNew({ ...toFields(rest), ...(Predicate.isNullable(text) ? {} : { text }) })
  )

/** The body of PATCH /v1/email/templates/{id} that makes the same change of a template with this name. */
export const toTemplateChange = (name: string, change: Change) =>
  Effect.zipRight(checkAlias(change.alias, change.name ?? name), decodeChange(toFields(change)))

/** A new template like this one. */
export const toDuplicate = ({ html, name, subject, text, variables }: Template) =>
  decodeNew({
    name: `Copy of ${name}`,
    subject,
    html,
    ...(text === undefined ? {} : { text }),
    variables: variables.flatMap(({ fallback, name }) => (fallback === undefined ? [] : [{ name, fallback }]))
  })

const textOrNull = Schema.NullOr(Schema.String)

const listedFields = {
  id: TemplateId,
  name: Schema.String,
  status: Schema.Literal("published").annotations({ description: "a change is published at once" }),
  published_at: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String,
  alias: Schema.String.annotations({ description: "the name" })
}

/** A template in a list. */
export const ListedTemplate = Schema.Struct(listedFields).annotations({ identifier: "ListedTemplate" })

/** A template. */
export const ResendTemplate = Schema.Struct({
  object: Schema.Literal("template"),
  ...listedFields,
  subject: textOrNull,
  html: Schema.String,
  text: textOrNull,
  from: Schema.Null,
  reply_to: Schema.Null,
  variables: Schema.mutable(
    Schema.Array(
      Schema.Struct({
        key: Schema.String,
        type: Schema.Literal("string"),
        fallback_value: textOrNull,
        created_at: Schema.String,
        updated_at: Schema.String
      })
    )
  ),
  has_unpublished_versions: Schema.Literal(false),
  current_version_id: Schema.String.annotations({ description: "the number of the version" })
}).annotations({ identifier: "Template" })

/** A template in a list. */
export const toListedTemplate = ({ createdAt, id, name, updatedAt }: Template): typeof ListedTemplate.Type => ({
  id,
  name,
  status: "published",
  published_at: DateTime.formatIso(updatedAt),
  created_at: DateTime.formatIso(createdAt),
  updated_at: DateTime.formatIso(updatedAt),
  alias: name
})

/** A template. */
export const toResendTemplate = (template: Template): typeof ResendTemplate.Type => {
  const listed = toListedTemplate(template)
  const { html = "", subject = null, text = null, variables, version } = template
  return {
    object: "template",
    ...listed,
    subject,
    html,
    text,
    from: null,
    reply_to: null,
    variables: variables.map(({ fallback = null, name }) => ({
      key: name,
      type: "string",
      fallback_value: fallback,
      created_at: listed.created_at,
      updated_at: listed.updated_at
    })),
    has_unpublished_versions: false,
    current_version_id: String(version)
  }
}
