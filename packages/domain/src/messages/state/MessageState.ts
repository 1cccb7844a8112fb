import type { DateTime } from "effect"
import type { Click } from "../../email/tracking/Click.js"
import type { Delivery } from "../delivery/Delivery.js"
import type { ErrorDetails, StatusEntry } from "../Message.js"
import type { MessageStatus } from "./MessageStatus.js"

/** The mutable state of a message; the functions of `MessageLifecycle` compute its transitions. */
export interface MessageState {
  readonly status: MessageStatus
  readonly statusHistory: ReadonlyArray<StatusEntry>
  readonly deliveries: ReadonlyArray<Delivery>
  readonly clicks: ReadonlyArray<Click>
  readonly provider: string | null
  readonly providerMessageId: string | null
  readonly providerStatus: string | null
  readonly providerResponse: unknown
  readonly sentAt: DateTime.Utc | null
  readonly deliveredAt: DateTime.Utc | null
  readonly readAt: DateTime.Utc | null
  readonly failedAt: DateTime.Utc | null
  readonly retryCount: number
  readonly maxRetries: number
  readonly deliveryAttempts: number
  readonly lastError: string | null
  readonly errorDetails: ErrorDetails | null
  readonly lastAttemptAt: DateTime.Utc | null
  readonly updatedAt: DateTime.Utc
}
