import { Schema } from "effect"
import { Attachments } from "../../messages/Attachment.js"
import { IdempotencyKey } from "../../messages/IdempotencyKey.js"
import { MessageId } from "../../messages/Message.js"
import { contentForms, contentProblems, Html } from "../../messages/SendEmail.js"
import { recipientLimit, type SendOrReply } from "../../messages/SendRequest.js"
import { line } from "../../Text.js"
import { Uuid } from "../../Uuid.js"
import { MailboxText } from "../EmailAddress.js"
import { TemplateData } from "../templates/TemplateRequests.js"
import { EmailRecipients } from "./EmailRecipients.js"

const Subject = line(1, 200)

const others = {
  to: EmailRecipients.pipe(
    Schema.filter(
      ({ length }) => (length >= 1 && length <= recipientLimit) || `must be 1 to ${recipientLimit} recipients`
    )
  ),
  from: Schema.optional(MailboxText),
  attachments: Schema.optional(Attachments),
  inReplyToMessageId: Schema.optional(MessageId),
  idempotencyKey: Schema.optional(IdempotencyKey)
}

/** The body of POST /email/send. */
export const EmailSendRequest = Schema.Struct({
  ...others,
  subject: Schema.optional(Subject),
  html: Schema.optional(Html),
  text: Schema.optional(Schema.String),
  templateId: Schema.optional(Uuid),
  templateData: Schema.optional(TemplateData)
})
  .pipe(Schema.filter(contentProblems))
  .annotations({ identifier: "EmailSendRequest", jsonSchema: contentForms(Subject, Uuid, others) })
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
