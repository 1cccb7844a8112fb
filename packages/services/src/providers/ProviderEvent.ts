import { FailureReason } from "@switchboard/domain/messages/delivery/FailureReason"
import { TimestampText } from "@switchboard/domain/Timestamp"
import { EntryPointSource } from "@switchboard/domain/whatsapp/ServiceWindow"
import { WhatsAppParts } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { Schema } from "effect"

/** The channels whose providers report events. */
const channel = Schema.Literal("sms", "whatsapp")

/** The provider reports what became of a sent message. */
export const Receipt = Schema.TaggedStruct("Receipt", {
  channel,
  /** The forms that the provider's id of the message can have: SMPP servers write it in decimal or hexadecimal. */
  providerMessageIds: Schema.NonEmptyArray(Schema.String),
  /** The phone that got the message, in the form of the provider; null if the provider does not say. */
  phone: Schema.NullOr(Schema.String),
  status: Schema.Literal("sent", "delivered", "read", "failed"),
  /** The state and error code of the provider, for example `UNDELIV` and `005`. */
  errorCode: Schema.optional(Schema.String),
  response: Schema.optional(Schema.String),
  /** Why it failed; left out if only the code says it. */
  reason: Schema.optional(FailureReason),
  /** The category by which WhatsApp bills the message. */
  conversationCategory: Schema.optional(Schema.String),
  at: TimestampText
})
export type Receipt = typeof Receipt.Type

/** A person sent a text to a number of an organization. */
export const ReceivedText = Schema.TaggedStruct("ReceivedText", {
  channel,
  /** E.164. */
  from: Schema.String,
  /** The number that received it. */
  to: Schema.String,
  text: Schema.String,
  /** The provider's id of the message; null if it has none. A repeat has the same id. */
  providerMessageId: Schema.NullOr(Schema.String),
  /** The place in a concatenated message; null for a message in one part. */
  part: Schema.NullOr(Schema.Struct({ reference: Schema.Int, number: Schema.Int, total: Schema.Int })),
  /** What a WhatsApp message has besides. */
  whatsapp: Schema.optional(
    Schema.Struct({
      content: WhatsAppParts,
      /** The name of the sender's profile. */
      name: Schema.NullOr(Schema.String),
      /** The provider's id of the message that it answers. */
      answers: Schema.NullOr(Schema.String),
      /** Where the sender found the business, for a message that opens a free entry point. */
      entryPoint: Schema.NullOr(EntryPointSource)
    })
  ),
  at: TimestampText
})
export type ReceivedText = typeof ReceivedText.Type

export const ProviderEvent = Schema.Union(Receipt, ReceivedText)
export type ProviderEvent = typeof ProviderEvent.Type
