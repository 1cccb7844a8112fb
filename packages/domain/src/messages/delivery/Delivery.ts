import { Schema } from "effect"
import { TimestampText } from "../../Timestamp.js"
import { FailureReason } from "./FailureReason.js"

/** The status of a message for one recipient. */
export const DeliveryStatus = Schema.Literal(
  "pending",
  "deferred",
  "sent",
  "delivered",
  "read",
  "bounced",
  "failed",
  "suppressed",
  "complained"
).annotations({ identifier: "DeliveryStatus" })
export type DeliveryStatus = typeof DeliveryStatus.Type

/** The delivery to one recipient: its status, and the last reply of the provider. */
export const Delivery = Schema.Struct({
  recipient: Schema.String.annotations({ description: "the recipient's address or phone number" }),
  status: DeliveryStatus,
  providerMessageId: Schema.optional(
    Schema.String.annotations({ description: "the provider's id of the message, an extension" })
  ),
  errorCode: Schema.optional(Schema.String.annotations({ description: "the provider's error code, an extension" })),
  conversationCategory: Schema.optional(
    Schema.String.annotations({ description: "the category by which WhatsApp bills the message, an extension" })
  ),
  smtpCode: Schema.optional(Schema.Number.annotations({ description: "the SMTP reply code" })),
  response: Schema.optional(
    Schema.String.annotations({ description: "the text of the SMTP reply, or of the provider" })
  ),
  reason: Schema.optional(
    FailureReason.annotations({ description: "why the delivery failed or was deferred, by the reply or report" })
  ),
  at: TimestampText
}).annotations({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type

/** Whether the relay accepted the message for this recipient. */
export const isAccepted = ({ status }: Delivery): boolean =>
  status === "sent" || status === "delivered" || status === "read" || status === "complained"

/** Whether this recipient is still to be attempted. */
export const isOpen = ({ status }: Delivery): boolean => status === "pending" || status === "deferred"
