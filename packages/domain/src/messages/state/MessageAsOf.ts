import { DateTime, Option, Schema } from "effect"
import type { Delivery, DeliveryStatus } from "../delivery/Delivery.js"
import { type Message, StatusEntry } from "../Message.js"
import type { MessageEventData } from "./MessageEventData.js"
import type { MessageStatus } from "./MessageStatus.js"

const decodeStep = Schema.decodeUnknownOption(StatusEntry)

/** The step of the message's own history that a recipient's state belongs to; other states are tries that went on. */
const stepOf: Partial<Record<DeliveryStatus, ReadonlyArray<MessageStatus>>> = {
  sent: ["sent"],
  delivered: ["delivered"],
  read: ["read"],
  bounced: ["bounced", "sent"],
  failed: ["failed", "sent"],
  complained: ["complained"]
}

/** A recipient's state by then, as far as it can still be told: one that came later was only sent, or still pending. */
const deliveryAsOf = (delivery: Delivery, at: string, reached: ReadonlySet<MessageStatus>): Delivery => {
  const steps = stepOf[delivery.status]
  if (delivery.at <= at && (steps === undefined || steps.some((step) => reached.has(step)))) return delivery
  const { recipient } = delivery
  const wasSent = reached.has("sent") && steps !== undefined
  return { recipient, status: wasSent ? "sent" : "pending", at: delivery.at <= at ? delivery.at : at }
}

/**
 * A message as it was when an event told a step of its history, without bodies and attachments. Of messages, events
 * keep the step alone; what came after it is left out again here. `step` of the first event is its time alone.
 */
export const messageAsOf = (message: Message, step: unknown): MessageEventData => {
  const { attachments: _, html: __, text: ___, ...content } = message.content
  const history = message.statusHistory ?? []
  const found = Option.match(decodeStep(step), {
    onNone: () => 0,
    onSome: ({ status, timestamp }) =>
      history.findIndex((entry) => entry.status === status && entry.timestamp === timestamp)
  })
  const entry = history[found]
  if (entry === undefined || found === history.length - 1) return { ...message, content }
  const statusHistory = history.slice(0, found + 1)
  const reached = new Set(statusHistory.map(({ status }) => status))
  const since = (time: DateTime.Utc | null, ...steps: ReadonlyArray<MessageStatus>) =>
    steps.some((step) => reached.has(step)) ? time : null
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
    providerResponse: reached.has("sent") ? message.providerResponse : null,
    updatedAt: DateTime.unsafeMake(entry.timestamp),
    lastError: null,
    errorDetails: null,
    emailMetadata:
      message.emailMetadata == null
        ? message.emailMetadata
        : {
            ...message.emailMetadata,
            deliveries: message.emailMetadata.deliveries.map((delivery) =>
              deliveryAsOf(delivery, entry.timestamp, reached)
            )
          }
  }
}
