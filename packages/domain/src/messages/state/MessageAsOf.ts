import { Option, Schema } from "effect"
import { TimestampText } from "../../Timestamp.js"
import type { Delivery, DeliveryStatus } from "../delivery/Delivery.js"
import { deliveriesOf, type EmailMetadata, type Message, StatusEntry } from "../Message.js"
import type { MessageEventData } from "./MessageEventData.js"
import type { MessageStatus } from "./MessageStatus.js"

/** What the event of a click stores: its time, and whether it is the first click of the message. */
export const ClickStep = Schema.Struct({ timestamp: TimestampText, isFirst: Schema.Boolean })

const decodeStep = Schema.decodeUnknownOption(Schema.Union(StatusEntry, ClickStep))

/** The statuses of the message that a delivery's status implies; other delivery statuses are open. */
const impliedStatuses: Partial<Record<DeliveryStatus, ReadonlyArray<MessageStatus>>> = {
  sent: ["sent"],
  delivered: ["delivered"],
  read: ["read"],
  bounced: ["bounced", "sent"],
  failed: ["failed", "sent"],
  complained: ["complained"]
}

/** The delivery at a time, as far as it is known: a later status is shown as `sent` or `pending`. */
const deliveryAsOf = (delivery: Delivery, at: string, reached: ReadonlySet<MessageStatus>): Delivery => {
  const steps = impliedStatuses[delivery.status]
  if (delivery.at <= at && (steps === undefined || steps.some((step) => reached.has(step)))) return delivery
  const { recipient } = delivery
  const wasSent = reached.has("sent") && steps !== undefined
  return { recipient, status: wasSent ? "sent" : "pending", at: delivery.at <= at ? delivery.at : at }
}

/** The metadata of an e-mail with the clicks up to a time. */
const metadataAsOf = ({ clicks = [], ...metadata }: typeof EmailMetadata.Encoded, at: string) => {
  const before = clicks.filter((click) => click.at <= at)
  return before.length === 0 ? metadata : { ...metadata, clicks: before }
}

/** The content without the body and attachments of an e-mail. That of the other channels is short: it is complete. */
const summaryOf = (content: (typeof Message.Encoded)["content"]): (typeof MessageEventData.Encoded)["content"] => {
  if (!("subject" in content)) return content
  const { attachments: _, html: __, text: ___, ...summary } = content
  return summary
}

/**
 * The encoded message as of an event, without bodies and attachments. The outbox stores only the history entry or the
 * click (`step`); later changes are removed here. The step of the first event has only a time.
 */
export const messageAsOf = (complete: typeof Message.Encoded, step: unknown): typeof MessageEventData.Encoded => {
  const content = summaryOf(complete.content)
  const history = complete.statusHistory ?? []
  const known = Option.getOrNull(decodeStep(step))
  const found =
    known === null
      ? 0
      : "isFirst" in known
        ? history.findLastIndex(({ timestamp }) => timestamp <= known.timestamp)
        : history.findIndex(({ status, timestamp }) => status === known.status && timestamp === known.timestamp)
  const entry = history[found]
  const at = known?.timestamp ?? entry?.timestamp ?? complete.createdAt
  const { emailMetadata } = complete
  const message = emailMetadata == null ? complete : { ...complete, emailMetadata: metadataAsOf(emailMetadata, at) }
  if (entry === undefined || found === history.length - 1) return { ...message, content }
  const statusHistory = history.slice(0, found + 1)
  const reached = new Set(statusHistory.map(({ status }) => status))
  const since = (time: string | null, ...steps: ReadonlyArray<MessageStatus>) =>
    steps.some((step) => reached.has(step)) ? time : null
  const deliveries = deliveriesOf(message).map((delivery) => deliveryAsOf(delivery, entry.timestamp, reached))
  return {
    ...message,
    content,
    status: entry.status,
    statusHistory,
    sentAt: since(message.sentAt, "sent"),
    deliveredAt: since(message.deliveredAt, "delivered"),
    readAt: since(message.readAt, "read"),
    failedAt: since(message.failedAt, "failed", "bounced"),
    lastAttemptAt: since(message.lastAttemptAt, "processing"),
    providerMessageId: reached.has("sent") ? message.providerMessageId : null,
    providerStatus: reached.has("sent") ? message.providerStatus : null,
    providerResponse:
      message.channel === "sms" ? { deliveries } : reached.has("sent") ? message.providerResponse : null,
    updatedAt: entry.timestamp,
    lastError: null,
    errorDetails: null,
    ...(message.emailMetadata == null ? {} : { emailMetadata: { ...message.emailMetadata, deliveries } }),
    ...(message.whatsappMetadata == null
      ? {}
      : {
          whatsappMetadata: {
            ...message.whatsappMetadata,
            providerMessageId: reached.has("sent") ? message.whatsappMetadata.providerMessageId : null,
            deliveries
          }
        })
  }
}
