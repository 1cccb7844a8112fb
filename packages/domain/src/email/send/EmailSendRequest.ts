import { Schema } from "effect"
import { Attachments } from "../../messages/Attachment.js"
import { MessageId } from "../../messages/Message.js"
import {
  contentJsonSchema,
  contentProblems,
  Html,
  IdempotencyKey,
  recipientLimit,
  type SendOrReply
} from "../../messages/SendRequest.js"
import { Uuid } from "../../Uuid.js"
import { EmailRecipients } from "./EmailRecipients.js"

const subjectLimit = 200

const subject = Schema.String.pipe(
  Schema.filter((text) => !/[\r\n]/.test(text) || "must not contain line breaks"),
  Schema.filter(
    (text) => (text.length > 0 && [...text].length <= subjectLimit) || `must have 1 to ${subjectLimit} characters`
  )
).annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: subjectLimit } })

/** The body of POST /email/send. */
export const EmailSendRequest = Schema.Struct({
  to: EmailRecipients.pipe(
    Schema.filter(
      ({ length }) => (length >= 1 && length <= recipientLimit) || `must be 1 to ${recipientLimit} recipients`
    )
  ),
  subject: Schema.optional(subject),
  html: Schema.optional(Html),
  text: Schema.optional(Schema.String),
  attachments: Schema.optional(Attachments),
  templateId: Schema.optional(Uuid),
  templateData: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  inReplyToMessageId: Schema.optional(MessageId),
  idempotencyKey: Schema.optional(IdempotencyKey)
})
  .pipe(Schema.filter(contentProblems, { jsonSchema: contentJsonSchema }))
  .annotations({ identifier: "EmailSendRequest" })
export type EmailSendRequest = typeof EmailSendRequest.Type

/** Converts to the body of POST /messages: both operations share one idempotency identity. */
export const toSendRequest = ({ idempotencyKey, inReplyToMessageId, to, ...email }: EmailSendRequest): SendOrReply => ({
  channel: "email",
  to: to.map((recipient) => (typeof recipient === "string" ? { email: recipient } : recipient)),
  email,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  ...(inReplyToMessageId === undefined ? {} : { inReplyToMessageId })
})

const inner = /^email\./

/** Renames the fields of a send's validation errors to the fields of this operation. */
export const toEmailSendFields = (fields: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.fromEntries(Object.entries(fields).map(([path, sentences]) => [path.replace(inner, ""), sentences]))
