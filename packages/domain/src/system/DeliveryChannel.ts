import type { QueueName } from "./QueueDepth.js"

/** The channels of which an operator can pause the delivery. */
export const deliveryChannels = ["email", "webhook"] as const
export type DeliveryChannel = (typeof deliveryChannels)[number]

/**
 * The channel of each queue; null for a queue without pauses: received mail is always processed, and a call is not
 * stopped between its steps.
 */
export const channelOf: Readonly<Record<QueueName, DeliveryChannel | null>> = {
  message: "email",
  inbound: null,
  forwarding: "email",
  webhook: "webhook",
  voice_call: null,
  voice_notice: "webhook"
}
