import { Schema } from "effect"
import { TemplateData } from "../email/templates/Template.js"
import { oneOf } from "../Fields.js"
import { TemplateReference } from "../messages/SendEmail.js"
import { text } from "../Text.js"
import { SenderId } from "./SmsNumber.js"
import { maxSmsLength } from "./SmsText.js"

const others = {
  from: Schema.optional(SenderId)
}

const Body = text(1, maxSmsLength).annotations({
  description: "the text, of at most 10 segments: 1,530 characters of GSM 03.38, otherwise 670 of UCS-2"
})

/** The content of a text message: a text or a template. */
export const SendSms = Schema.Struct({
  ...others,
  text: Schema.optional(Body),
  templateId: Schema.optional(TemplateReference),
  templateData: Schema.optional(TemplateData)
})
  .pipe(
    Schema.filter(({ templateData, templateId, text: body }) => [
      ...(templateId === undefined && body === undefined
        ? [{ path: ["text"], message: "is required without a template" }]
        : []),
      ...(templateId !== undefined && body !== undefined
        ? [{ path: ["text"], message: "must not be given with a template" }]
        : []),
      ...(templateId === undefined && templateData !== undefined
        ? [{ path: ["templateData"], message: "must not be given without a template" }]
        : [])
    ])
  )
  .annotations({
    identifier: "SendSms",
    jsonSchema: oneOf(
      Schema.Struct({ ...others, text: Body }),
      Schema.Struct({ ...others, templateId: TemplateReference, templateData: Schema.optional(TemplateData) })
    )
  })
export type SendSms = typeof SendSms.Type
