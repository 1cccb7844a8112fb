import { Schema } from "effect"
import { addressKey, EmailAddress, MailboxText } from "../email/EmailAddress.js"
import { IsoDateTime } from "../IsoDateTime.js"
import { ParticipantId } from "../participants/Participant.js"
import { Uuid } from "../Uuid.js"
import { Attachments } from "./Attachment.js"
import { excludesTransactional } from "./Categories.js"
import { EmailHeaders } from "./EmailHeaders.js"
import { Label } from "./Label.js"
import { Channel, ConversationId, type MessageId } from "./Message.js"

/** The maximum number of recipients of a message, in to, cc and bcc together. */
export const recipientLimit = 50

/** A display name without control characters: a line break would inject a header. */
const DisplayName = Schema.String.pipe(
  Schema.filter((name) => !/\p{Cc}/u.test(name) || "must not contain control characters"),
  Schema.filter((name) => (name.length >= 1 && name.length <= 200) || "must have 1 to 200 characters", {
    jsonSchema: { minLength: 1, maxLength: 200 }
  })
).annotations({ description: "the display name in the mail's header; an extension" })

/** A recipient: an address, or a participant of the organization with an address. */
export const SendRecipient = Schema.Struct({
  email: Schema.optional(EmailAddress),
  contactId: Schema.optional(ParticipantId),
  name: Schema.optional(DisplayName)
})
  .pipe(
    Schema.filter(
      ({ contactId, email }) =>
        (email === undefined) !== (contactId === undefined) || "must have either email or contactId",
      { jsonSchema: { allOf: [{ oneOf: [{ required: ["email"] }, { required: ["contactId"] }] }] } }
    )
  )
  .annotations({ identifier: "SendRecipient", description: "an email address or a contact" })
export type SendRecipient = typeof SendRecipient.Type

const line = (max: number) =>
  Schema.String.pipe(
    Schema.filter((text) => !/[\r\n]/.test(text) || "must not contain line breaks"),
    Schema.filter((text) => text.length <= max || `must be at most ${max} characters`)
  )

const max20Items = <A extends ReadonlyArray<unknown>, I>(items: Schema.Schema<A, I>) =>
  items.pipe(
    Schema.filter((items) => items.length <= 20 || "must have at most 20 items", { jsonSchema: { maxItems: 20 } })
  )

const labels = Schema.Array(Label).pipe(max20Items)

/** A template id. Text that is not a UUID is accepted here and rejected by the service as an unknown template. */
export const TemplateReference = Schema.Union(Uuid, Schema.String).annotations({ jsonSchema: { type: "string" } })

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

/**
 * The rule of `contentProblems` in JSON Schema. It is wrapped in `allOf`, since a top-level `anyOf` would replace the
 * refined schema.
 */
export const contentJsonSchema = {
  allOf: [
    {
      anyOf: [
        { required: ["templateId"] },
        { required: ["subject", "html"] },
        { required: ["subject", "text"], properties: { text: { minLength: 1 } } }
      ]
    }
  ],
  dependentRequired: { templateData: ["templateId"] }
}

/** The HTML body. */
export const Html = Schema.String.pipe(
  Schema.filter((text) => text.length > 0 || "must not be empty", { jsonSchema: { minLength: 1 } })
).annotations({
  description: "the HTML part; default: text, escaped and with its line breaks (an extension)"
})

/** The content of an e-mail. Without a template, `subject` and a non-empty `html` or `text` are required. */
export const SendEmail = Schema.Struct({
  subject: Schema.optional(line(998).pipe(Schema.filter((text) => text.length > 0 || "must not be empty"))),
  html: Schema.optional(Html),
  text: Schema.optional(Schema.String),
  replyTo: Schema.optional(Schema.Array(EmailAddress).pipe(max20Items)),
  templateId: Schema.optional(TemplateReference),
  from: Schema.optional(MailboxText),
  templateData: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  attachments: Schema.optional(Attachments),
  headers: Schema.optional(EmailHeaders),
  tags: Schema.optional(labels),
  trackOpens: Schema.optional(
    Schema.Boolean.annotations({
      description: "whether opens are tracked by an image in the HTML; default: false"
    })
  )
})
  .pipe(Schema.filter(contentProblems, { jsonSchema: contentJsonSchema }))
  .annotations({ identifier: "SendEmail" })

/** 1 to 255 Unicode code points. */
export const IdempotencyKey = Schema.String.pipe(
  Schema.filter((key) => (key.length > 0 && [...key].length <= 255) || "must have 1 to 255 characters")
).annotations({ description: "an idempotency key", jsonSchema: { type: "string", minLength: 1, maxLength: 255 } })

const reference = Schema.optional(
  Schema.String.pipe(
    Schema.filter((text) => (text.length >= 1 && text.length <= 255) || "must have 1 to 255 characters")
  )
)

/** The body of POST /messages. */
export const SendRequest = Schema.Struct({
  channel: Channel.pipe(
    Schema.filter((channel) => channel === "email" || `The channel ${channel} is staged: only email can be sent today`)
  ),
  to: Schema.Array(SendRecipient).pipe(
    Schema.filter((items) => items.length > 0 || "must name at least one recipient", {
      // Duplicates count once, which `maxItems` can't express.
      jsonSchema: { minItems: 1, description: `at most ${recipientLimit} different recipients over to, cc and bcc` }
    })
  ),
  cc: Schema.optional(Schema.Array(SendRecipient)),
  bcc: Schema.optional(Schema.Array(SendRecipient)),
  email: SendEmail,
  idempotencyKey: Schema.optional(IdempotencyKey),
  scheduledAt: Schema.optional(IsoDateTime),
  conversationId: Schema.optional(ConversationId),
  externalId: reference,
  referenceId: reference,
  tags: Schema.optional(labels),
  categories: Schema.optional(
    labels.pipe(Schema.filter(excludesTransactional)).annotations({
      description:
        "the categories of the mail: a recipient with a block on any of these is suppressed; `marketing` and `transactional` exclude each other"
    })
  ),
  isTest: Schema.optional(Schema.Boolean)
})
  .pipe(
    Schema.filter(({ bcc = [], cc = [], to }) => {
      const distinct = new Set(
        [...to, ...cc, ...bcc].map(({ contactId, email }) => (email === undefined ? contactId : addressKey(email)))
      )
      return distinct.size <= recipientLimit
        ? []
        : [{ path: ["to"], message: `must be at most ${recipientLimit} recipients over to, cc and bcc` }]
    })
  )
  .annotations({ identifier: "SendRequest" })
export type SendRequest = typeof SendRequest.Type

/** A send that may be a reply, as POST /email/send and the service itself create it. */
export interface SendOrReply extends SendRequest {
  readonly inReplyToMessageId?: MessageId | undefined
  /** Whether the service generated the message. */
  readonly isAutomated?: boolean | undefined
}
