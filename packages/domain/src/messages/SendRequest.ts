import { Schema } from "effect"
import { addressKey } from "../email/EmailAddress.js"
import { narrowedTo, oneOf } from "../Fields.js"
import { text } from "../Text.js"
import { IsoDateTime } from "../Timestamp.js"
import { excludesTransactional } from "./Categories.js"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { Labels } from "./Label.js"
import { Channel, ConversationId, type MessageId } from "./Message.js"
import { SendEmail } from "./SendEmail.js"
import { SendRecipient } from "./SendRecipient.js"

/** The maximum number of recipients of a message, in to, cc and bcc together. */
export const recipientLimit = 50

const reference = Schema.optional(text(1, 255))

/** The fields of a message of any channel. */
const fields = {
  to: Schema.Array(SendRecipient).pipe(
    Schema.filter((recipients) => recipients.length > 0 || "must name at least one recipient", {
      // Duplicates count once, which `maxItems` can't express.
      jsonSchema: { minItems: 1, description: `at most ${recipientLimit} different recipients over to, cc and bcc` }
    })
  ),
  cc: Schema.optional(Schema.Array(SendRecipient)),
  bcc: Schema.optional(Schema.Array(SendRecipient)),
  idempotencyKey: Schema.optional(IdempotencyKey),
  scheduledAt: Schema.optional(IsoDateTime),
  conversationId: Schema.optional(ConversationId),
  externalId: reference,
  referenceId: reference,
  tags: Schema.optional(Labels),
  categories: Schema.optional(
    Labels.pipe(Schema.filter(excludesTransactional)).annotations({
      description:
        "the categories of the mail: a recipient with a block on any of these is suppressed; `marketing` and `transactional` exclude each other"
    })
  ),
  isTest: Schema.optional(Schema.Boolean)
}

const EmailMessageRequest = Schema.Struct({
  channel: Schema.Literal("email"),
  ...fields,
  email: SendEmail
}).annotations({ identifier: "EmailMessageRequest" })

/** A message of a channel that is not available yet. The service rejects it by its channel. */
const staged = <Name extends Channel>(channel: Name, identifier: string) =>
  Schema.Struct({ channel: Schema.Literal(channel), ...fields }).annotations({ identifier })

const schemaPath = "#/components/schemas/"

/** The body of POST /messages. */
export const SendRequest = Schema.Struct({
  channel: Channel.pipe(
    Schema.filter((channel): channel is "email" => channel === "email", {
      message: ({ actual }) => `The channel ${actual} is staged: only email can be sent today`,
      ...narrowedTo(Schema.Literal("email"))
    })
  ),
  ...fields,
  email: SendEmail
})
  .pipe(
    Schema.filter(({ bcc = [], cc = [], to }) => {
      const different = new Set(
        [...to, ...cc, ...bcc].map(({ contactId, email }) => (email === undefined ? contactId : addressKey(email)))
      )
      return different.size <= recipientLimit
        ? []
        : [{ path: ["to"], message: `must be at most ${recipientLimit} recipients over to, cc and bcc` }]
    })
  )
  .annotations({
    identifier: "SendRequest",
    jsonSchema: {
      ...oneOf(
        EmailMessageRequest,
        staged("sms", "SmsMessageRequest"),
        staged("whatsapp", "WhatsAppMessageRequest"),
        staged("voice", "VoiceMessageRequest")
      ),
      discriminator: {
        propertyName: "channel",
        mapping: {
          email: `${schemaPath}EmailMessageRequest`,
          sms: `${schemaPath}SmsMessageRequest`,
          whatsapp: `${schemaPath}WhatsAppMessageRequest`,
          voice: `${schemaPath}VoiceMessageRequest`
        }
      }
    }
  })
export type SendRequest = typeof SendRequest.Type

/** A send that may be a reply, as POST /email/send and the service itself create it. */
export interface SendOrReply extends SendRequest {
  readonly inReplyToMessageId?: MessageId | undefined
  /** The message with the same content that this send repeats. */
  readonly resendOf?: MessageId | undefined
  /** Whether the service generated the message. */
  readonly isAutomated?: boolean | undefined
}
