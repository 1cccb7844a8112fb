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

/** Recipients of one message over to, cc and bcc. */
export const recipientLimit = 50

/** The name shown with an address: one line, which can't add a header or an address. */
const DisplayName = Schema.String.pipe(
  Schema.filter((name) => !/\p{Cc}/u.test(name) || "must not contain control characters"),
  Schema.filter((name) => (name.length >= 1 && name.length <= 200) || "must have 1 to 200 characters", {
    jsonSchema: { minLength: 1, maxLength: 200 }
  })
).annotations({ description: "the display name in the mail's header; an extension" })

/** An address, or a participant of the organization who has one. */
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

const line = (most: number) =>
  Schema.String.pipe(
    Schema.filter((text) => !/[\r\n]/.test(text) || "must not contain line breaks"),
    Schema.filter((text) => text.length <= most || `must be at most ${most} characters`)
  )

const most20 = <A extends ReadonlyArray<unknown>, I>(items: Schema.Schema<A, I>) =>
  items.pipe(
    Schema.filter((given) => given.length <= 20 || "must have at most 20 items", { jsonSchema: { maxItems: 20 } })
  )

const labels = Schema.Array(Label).pipe(most20)

/** A template's id has the one spelling that ids have; other text names none, which is for the service to say. */
export const TemplateReference = Schema.Union(Uuid, Schema.String).annotations({ jsonSchema: { type: "string" } })

/** The problems of an e-mail that names no template: it needs a subject and a body, and takes no data. */
export const saysItself = ({
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

/** The rule of `saysItself` in JSON Schema. An `anyOf` of its own would replace the schema that is refined. */
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

/** The body as HTML. */
export const Html = Schema.String.pipe(
  Schema.filter((text) => text.length > 0 || "must not be empty", { jsonSchema: { minLength: 1 } })
).annotations({
  description: "the HTML part; if it is left out, it is made from text, escaped and with its line breaks (an extension)"
})

/**
 * The content of an e-mail. Unless a template gives them, `subject` is required, and `html` or a `text` that is not
 * empty.
 */
export const SendEmail = Schema.Struct({
  subject: Schema.optional(line(998).pipe(Schema.filter((text) => text.length > 0 || "must not be empty"))),
  html: Schema.optional(Html),
  text: Schema.optional(Schema.String),
  replyTo: Schema.optional(Schema.Array(EmailAddress).pipe(most20)),
  templateId: Schema.optional(TemplateReference),
  from: Schema.optional(MailboxText),
  templateData: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  attachments: Schema.optional(Attachments),
  headers: Schema.optional(EmailHeaders),
  tags: Schema.optional(labels),
  trackOpens: Schema.optional(
    Schema.Boolean.annotations({
      description: "whether the mail tells that it is opened, by an image in its HTML; false if left out"
    })
  )
})
  .pipe(Schema.filter(saysItself, { jsonSchema: contentJsonSchema }))
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

/** One message to send. */
export const SendRequest = Schema.Struct({
  channel: Channel.pipe(
    Schema.filter((channel) => channel === "email" || `The channel ${channel} is staged: only email can be sent today`)
  ),
  to: Schema.Array(SendRecipient).pipe(
    Schema.filter((items) => items.length > 0 || "must name at least one recipient", {
      // Whoever is named twice counts once: a number of items can't say it.
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
        "what kind of mail this is: a recipient with a block on any of these is suppressed; `marketing` and `transactional` exclude each other"
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

/** A send that may answer another message, as POST /email/send can say, or that the service makes by itself. */
export interface SendOrReply extends SendRequest {
  readonly inReplyToMessageId?: MessageId | undefined
  /** Whether nobody wrote it. */
  readonly isAutomated?: boolean | undefined
}
