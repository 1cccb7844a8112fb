import { Schema } from "effect"
import { MailboxText, mailboxText } from "../email/EmailAddress.js"
import { TemplateData } from "../email/templates/Template.js"
import { items, oneOf } from "../Fields.js"
import { filledText, line } from "../Text.js"
import { Uuid } from "../Uuid.js"
import { Attachments } from "./Attachment.js"
import { EmailHeaders } from "./EmailHeaders.js"
import { Labels } from "./Label.js"

/** A template id. Text that is not a UUID is accepted here and rejected by the service as an unknown template. */
export const TemplateReference = Schema.Union(Uuid, Schema.String).annotations({ jsonSchema: { type: "string" } })

/** The HTML body. */
export const Html = filledText.annotations({
  description: "the HTML part; default: text, escaped and with its line breaks (an extension)"
})

/** The validation errors of an e-mail without a template: it requires a subject and a body, and takes no data. */
export const contentProblems = ({
  html,
  subject,
  templateData,
  templateId,
  text = ""
}: {
  readonly html?: string | undefined
  readonly subject?: string | undefined
  readonly templateData?: object | undefined
  readonly templateId?: string | undefined
  readonly text?: string | undefined
}): ReadonlyArray<Schema.FilterIssue> => {
  if (templateId !== undefined) return []
  return [
    ...(subject === undefined ? [{ path: ["subject"], message: "is required without a template" }] : []),
    ...(html === undefined && text === ""
      ? [{ path: ["html"], message: "is required without a text or a template" }]
      : []),
    ...(templateData === undefined ? [] : [{ path: ["templateData"], message: "must not be given without a template" }])
  ]
}

/** The rule of `contentProblems` in JSON Schema: the content is HTML, plain text or a template. */
export const contentForms = <Id extends Schema.Schema.All>(
  subject: Schema.Schema<string>,
  templateId: Id,
  others: Schema.Struct.Fields
) =>
  oneOf(
    Schema.Struct({ ...others, subject, html: Html, text: Schema.optional(Schema.String) }),
    Schema.Struct({ ...others, subject, text: filledText }),
    Schema.Struct({
      ...others,
      templateId,
      templateData: Schema.optional(TemplateData),
      subject: Schema.optional(subject),
      html: Schema.optional(Html),
      text: Schema.optional(Schema.String)
    })
  )

const Subject = line(1, 998)

const decodeMailbox = Schema.decodeSync(MailboxText)

/** A mailbox for replies. An address without a name is decoded to the same text as in releases without names. */
const ReplyTo = Schema.transform(MailboxText, Schema.String, {
  strict: true,
  decode: mailboxText,
  encode: (text) => decodeMailbox(text)
})

const others = {
  replyTo: Schema.optional(Schema.Array(ReplyTo).pipe(items(0, 20))),
  from: Schema.optional(MailboxText),
  attachments: Schema.optional(Attachments),
  headers: Schema.optional(EmailHeaders),
  tags: Schema.optional(Labels),
  trackOpens: Schema.optional(
    Schema.Boolean.annotations({
      description: "whether opens are tracked by an image in the HTML; default: that of the sender's domain"
    })
  ),
  trackClicks: Schema.optional(
    Schema.Boolean.annotations({
      description: "whether clicks are tracked by the links in the HTML; default: that of the sender's domain"
    })
  )
}

/** The content of an e-mail. Without a template, `subject` and a non-empty `html` or `text` are required. */
export const SendEmail = Schema.Struct({
  ...others,
  subject: Schema.optional(Subject),
  html: Schema.optional(Html),
  text: Schema.optional(Schema.String),
  templateId: Schema.optional(TemplateReference),
  templateData: Schema.optional(TemplateData)
})
  .pipe(Schema.filter(contentProblems))
  .annotations({ identifier: "SendEmail", jsonSchema: contentForms(Subject, TemplateReference, others) })
