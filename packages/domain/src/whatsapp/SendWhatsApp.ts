import { Schema } from "effect"
import { AttachmentId } from "../attachments/UploadedAttachment.js"
import { TemplateData } from "../email/templates/Template.js"
import { items, oneOf } from "../Fields.js"
import { TemplateReference } from "../messages/SendEmail.js"
import { matching, text } from "../Text.js"

/** The longest text, in characters. */
export const maxWhatsAppText = 4_096

const Body = Schema.Struct({
  body: text(1, maxWhatsAppText),
  previewUrl: Schema.optional(
    Schema.Boolean.annotations({ description: "whether WhatsApp shows a preview of the first link; default: false" })
  )
}).annotations({ identifier: "WhatsAppText" })

const maxComponentsBytes = 16_384

const Components = Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  .pipe(
    items(0, 20),
    Schema.filter(
      (components) =>
        new TextEncoder().encode(JSON.stringify(components)).byteLength <= maxComponentsBytes ||
        `must have at most ${maxComponentsBytes} bytes as JSON`
    )
  )
  .annotations({ description: "the components of the template with their parameters, as the Cloud API takes them" })

const Template = Schema.Struct({
  name: Schema.String.pipe(
    matching(/^[a-z0-9_]{1,512}$/, "must be the name of a template: lower-case letters, digits and underscores")
  ),
  language: Schema.String.pipe(matching(/^[A-Za-z_]{2,15}$/, "must be a language code like en_US")),
  components: Schema.optional(Components)
}).annotations({ identifier: "WhatsAppTemplate" })

const Media = Schema.Struct({
  attachmentId: AttachmentId.annotations({ description: "a file uploaded with POST /attachments" }),
  caption: Schema.optional(text(1, 1_024))
}).annotations({ identifier: "WhatsAppMedia" })

/** The content of a WhatsApp message: a text, a template of Meta, media, or a template of the organization with a text. */
export const SendWhatsApp = Schema.Struct({
  text: Schema.optional(Body),
  template: Schema.optional(Template),
  media: Schema.optional(Media),
  templateId: Schema.optional(TemplateReference),
  templateData: Schema.optional(TemplateData)
})
  .pipe(
    Schema.filter(({ templateData, ...parts }) => {
      const given = Object.values(parts).filter((part) => part !== undefined)
      if (given.length !== 1) return "must have one of text, template, media and templateId"
      return templateData === undefined || parts.templateId !== undefined
        ? []
        : [{ path: ["templateData"], message: "must not be given without templateId" }]
    })
  )
  .annotations({
    identifier: "SendWhatsApp",
    jsonSchema: oneOf(
      Schema.Struct({ text: Body }),
      Schema.Struct({ template: Template }),
      Schema.Struct({ media: Media }),
      Schema.Struct({ templateId: TemplateReference, templateData: Schema.optional(TemplateData) })
    )
  })
export type SendWhatsApp = typeof SendWhatsApp.Type
