import { Schema } from "effect"
import { addressKey } from "../email/EmailAddress.js"
import { items, oneOf } from "../Fields.js"
import { SendSms } from "../sms/SendSms.js"
import { text } from "../Text.js"
import { IsoDateTime } from "../Timestamp.js"
import { SendWhatsApp } from "../whatsapp/SendWhatsApp.js"
import { excludesTransactional, marketing } from "./Categories.js"
import { type EmailHeaders, unsubscribeNames } from "./EmailHeaders.js"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { Labels } from "./Label.js"
import { ConversationId, type MessageId } from "./Message.js"
import { SendEmail } from "./SendEmail.js"
import { SendRecipient, SmsRecipient, WhatsAppRecipient } from "./SendRecipient.js"

/** The maximum number of recipients of a message, in to, cc and bcc together. */
export const recipientLimit = 50

const reference = Schema.optional(text(1, 255))

/** The fields of a message of any channel. */
export const sendFields = {
  idempotencyKey: Schema.optional(IdempotencyKey),
  scheduledAt: Schema.optional(IsoDateTime),
  conversationId: Schema.optional(ConversationId),
  externalId: reference,
  referenceId: reference,
  tags: Schema.optional(Labels),
  categories: Schema.optional(
    Labels.pipe(Schema.filter(excludesTransactional)).annotations({
      description:
        "the categories of the message: a recipient of mail with a block on any of these is suppressed; `marketing` and `transactional` exclude each other"
    })
  ),
  isTest: Schema.optional(Schema.Boolean)
}

/** At least one recipient. Duplicates count once, which `maxItems` can't express. */
const recipients = <A, I>(recipient: Schema.Schema<A, I>, limit: string) =>
  Schema.Array(recipient).pipe(
    Schema.filter((all) => all.length > 0 || "must name at least one recipient", {
      jsonSchema: { minItems: 1, description: `at most ${recipientLimit} different recipients${limit}` }
    })
  )

/** The problem of a request with too many different recipients. */
const tooMany = (keys: ReadonlyArray<string | undefined>, limit: string) =>
  new Set(keys).size <= recipientLimit
    ? []
    : [{ path: ["to"], message: `must be at most ${recipientLimit} recipients${limit}` }]

const overAllRoles = " over to, cc and bcc"

const emailFields = {
  channel: Schema.Literal("email"),
  to: recipients(SendRecipient, overAllRoles),
  cc: Schema.optional(Schema.Array(SendRecipient)),
  bcc: Schema.optional(Schema.Array(SendRecipient)),
  ...sendFields,
  email: SendEmail
}

const smsFields = {
  channel: Schema.Literal("sms"),
  to: recipients(SmsRecipient, ""),
  ...sendFields,
  sms: SendSms
}

const whatsappFields = {
  channel: Schema.Literal("whatsapp"),
  to: Schema.Array(WhatsAppRecipient).pipe(items(1, 1)),
  ...sendFields,
  whatsapp: SendWhatsApp
}

/** Marketing mail has the unsubscribe link of the service. */
const ownUnsubscribes = (categories: ReadonlyArray<string>, headers: EmailHeaders) =>
  categories.includes(marketing)
    ? Object.keys(headers).flatMap((name) =>
        unsubscribeNames.has(name.toLowerCase())
          ? [{ path: ["email", "headers", name], message: `is set by the service for the category ${marketing}` }]
          : []
      )
    : []

/** An e-mail to send. */
export const EmailSend = Schema.Struct(emailFields).pipe(
  Schema.filter(({ bcc = [], categories = [], cc = [], email: { headers = {} }, to }) => [
    ...tooMany(
      [...to, ...cc, ...bcc].map(({ contactId, email }) => (email === undefined ? contactId : addressKey(email))),
      overAllRoles
    ),
    ...ownUnsubscribes(categories, headers)
  ])
)
export type EmailSend = typeof EmailSend.Type

/** A text message to send. */
export const SmsSend = Schema.Struct(smsFields).pipe(
  Schema.filter(({ to }) =>
    tooMany(
      to.map(({ contactId, phone }) => phone ?? contactId),
      ""
    )
  )
)
export type SmsSend = typeof SmsSend.Type

/** A WhatsApp message to send, to one recipient. */
export const WhatsAppSend = Schema.Struct(whatsappFields)
export type WhatsAppSend = typeof WhatsAppSend.Type

const schemaPath = "#/components/schemas/"

/** The body of POST /messages, by its channel. */
export const SendRequest = Schema.Union(EmailSend, SmsSend, WhatsAppSend).annotations({
  identifier: "SendRequest",
  jsonSchema: {
    ...oneOf(
      Schema.Struct(emailFields).annotations({ identifier: "EmailMessageRequest" }),
      Schema.Struct(smsFields).annotations({ identifier: "SmsMessageRequest" }),
      Schema.Struct(whatsappFields).annotations({ identifier: "WhatsAppMessageRequest" })
    ),
    discriminator: {
      propertyName: "channel",
      mapping: {
        email: `${schemaPath}EmailMessageRequest`,
        sms: `${schemaPath}SmsMessageRequest`,
        whatsapp: `${schemaPath}WhatsAppMessageRequest`
      }
    }
  }
})
export type SendRequest = typeof SendRequest.Type

/** What the service itself adds to a send. */
interface OwnFields {
  /** The message with the same content that this send repeats. */
  readonly resendOf?: MessageId | undefined
  /** Whether the service generated the message. */
  readonly isAutomated?: boolean | undefined
}

/** A file in a submitted mail. */
interface SubmittedFile {
  readonly filename: string
  readonly contentType: string
  readonly contentId: string | null
  readonly content: Uint8Array
}

/** A mail that was submitted over SMTP (RFC 6409), as it goes out. */
export interface SubmittedMail {
  /** The header and body, without the fields that each attempt adds. */
  readonly octets: Uint8Array
  /** SHA-256 (base 16) of the mail as it came. */
  readonly hash: string
  /** The Message-ID, with angle brackets. */
  readonly messageId: string
  /** Whether its header needs SMTPUTF8 (RFC 6531). */
  readonly needsSmtpUtf8: boolean
  readonly files: ReadonlyArray<SubmittedFile>
}

/** An e-mail that may be a reply, as POST /email/send, SMTP submission and the service itself create it. */
export interface EmailSendOrReply extends EmailSend, OwnFields {
  readonly inReplyToMessageId?: MessageId | undefined
  readonly submitted?: SubmittedMail | undefined
}

/** A text message, as POST /messages and the service itself create it. */
export interface SmsSendOrRepeat extends SmsSend, OwnFields {}

/** A WhatsApp message, as POST /messages and the service itself create it. */
export interface WhatsAppSendOrRepeat extends WhatsAppSend, OwnFields {}

/** A send of any channel. */
export type Send = EmailSendOrReply | SmsSendOrRepeat | WhatsAppSendOrRepeat
