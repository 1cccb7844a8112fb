import { Schema } from "effect"
import { TimestampText } from "../../Timestamp.js"

/** Where a message stands for one of its recipients. */
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

/** One recipient's state: what was answered last, and when. */
export const Delivery = Schema.Struct({
  recipient: Schema.String.annotations({ description: "the recipient's address" }),
  status: DeliveryStatus,
  smtpCode: Schema.optional(Schema.Number.annotations({ description: "the SMTP reply code" })),
  response: Schema.optional(Schema.String.annotations({ description: "the text of the SMTP reply" })),
  at: TimestampText
}).annotations({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type

/** The relay took it for this recipient. */
export const isAccepted = ({ status }: Delivery): boolean =>
  status === "sent" || status === "delivered" || status === "read" || status === "complained"

/** This recipient is still to be served. */
export const isOpen = ({ status }: Delivery): boolean => status === "pending" || status === "deferred"
