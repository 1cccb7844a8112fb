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

/** An address, or a participant of the organization who has one. */
export const SendRecipient = Schema.Struct({
  email: Schema.optional(EmailAddress),
  contactId: Schema.optional(ParticipantId)
})
  .pipe(
    Schema.filter(
      ({ contactId, email }) =>
        (email === undefined) !== (contactId === undefined) || "must have either email or contactId"
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

/** What is wrong with an e-mail that names no template: it says all itself, and has data for none. */
export const saysItself = ({
  html,
  subject,
  templateData,
  templateId
}: {
  readonly html?: string | undefined
  readonly subject?: string | undefined
  readonly templateData?: object | undefined
  readonly templateId?: string | undefined
}): ReadonlyArray<Schema.FilterIssue> => {
  if (templateId !== undefined) return []
  const required = "is required without a template"
  return [
    ...(subject === undefined ? [{ path: ["subject"], message: required }] : []),
    ...(html === undefined ? [{ path: ["html"], message: required }] : []),
    ...(templateData === undefined ? [] : [{ path: ["templateData"], message: "must not be given without a template" }])
  ]
}

/** What an e-mail says, and what goes with it. `subject` and `html` are required unless a template gives them. */
export const SendEmail = Schema.Struct({
  subject: Schema.optional(line(998).pipe(Schema.filter((text) => text.length > 0 || "must not be empty"))),
  html: Schema.optional(Schema.String.pipe(Schema.filter((text) => text.length > 0 || "must not be empty"))),
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
  .pipe(Schema.filter(saysItself))
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
