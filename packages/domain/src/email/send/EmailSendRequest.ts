import { Schema } from "effect"
import { Attachments } from "../../messages/Attachment.js"
import { MessageId } from "../../messages/Message.js"
import {
  contentJsonSchema,
  Html,
  IdempotencyKey,
  recipientLimit,
  type SendOrReply,
  saysItself
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

/** One e-mail to send, as the operation for e-mail alone takes it. */
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
  .pipe(Schema.filter(saysItself, { jsonSchema: contentJsonSchema }))
  .annotations({ identifier: "EmailSendRequest" })
export type EmailSendRequest = typeof EmailSendRequest.Type

/** The same send as POST /messages has it: both operations mean one thing by it, and know it again from each other. */
export const toSendRequest = ({ idempotencyKey, inReplyToMessageId, to, ...email }: EmailSendRequest): SendOrReply => ({
  channel: "email",
  to: to.map((recipient) => (typeof recipient === "string" ? { email: recipient } : recipient)),
  email,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  ...(inReplyToMessageId === undefined ? {} : { inReplyToMessageId })
})

const inner = /^email\./

/** What is wrong with a send, by the names that this operation's callers have for its fields. */
export const inCallersNames = (fields: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.fromEntries(Object.entries(fields).map(([path, sentences]) => [path.replace(inner, ""), sentences]))
