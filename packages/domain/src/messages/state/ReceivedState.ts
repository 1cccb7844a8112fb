import { DateTime } from "effect"
import type { MessageState } from "./MessageState.js"

/** The state of a received message: delivered to all its recipients. */
export const receivedState = (recipients: ReadonlyArray<string>, now: DateTime.Utc): MessageState => {
  const at = DateTime.formatIso(now)
  return {
    status: "delivered",
    statusHistory: [{ status: "delivered", timestamp: at }],
    deliveries: recipients.map((recipient) => ({ recipient, status: "delivered", at })),
    clicks: [],
    provider: null,
    providerMessageId: null,
    providerStatus: null,
    providerResponse: null,
    sentAt: null,
    deliveredAt: now,
    readAt: null,
    failedAt: null,
    retryCount: 0,
    maxRetries: 0,
    deliveryAttempts: 0,
    lastError: null,
    errorDetails: null,
    lastAttemptAt: null,
    updatedAt: now
  }
}
