import { defaultRetention } from "@switchboard/services/retention/RetentionSettings"
import { parsed, setting } from "./Setting.js"
import { duration, optional, withDefault } from "./SettingValues.js"

/** Retention periods. */
export const retentionSettings = {
  retentionMessageBodies: setting(
    "RETENTION_MESSAGE_BODIES",
    {
      type: "duration",
      default: "forever",
      meaning: "how long HTML, text and attachments of messages are stored after sending has ended"
    },
    optional(parsed(duration))
  ),
  retentionEvents: setting(
    "RETENTION_EVENTS",
    {
      type: "duration",
      default: "forever",
      meaning:
        "how long events (after their webhooks) and the logs of forwarding and blocks are stored, events up to a tenth or a day longer; statistics of periods that are not multiples of 15 minutes need events"
    },
    optional(parsed(duration))
  ),
  retentionWebhookAttempts: setting(
    "RETENTION_WEBHOOK_ATTEMPTS",
    {
      type: "duration",
      default: "30 days",
      meaning: "how long webhook attempts and completed webhook deliveries are stored, up to a tenth or a day longer"
    },
    withDefault(parsed(duration), defaultRetention)
  ),
  retentionKeyActivity: setting(
    "RETENTION_KEY_ACTIVITY",
    {
      type: "duration",
      default: "30 days",
      meaning: "how long the activity of API keys is stored, up to a tenth or a day longer"
    },
    withDefault(parsed(duration), defaultRetention)
  ),
  retentionInboundRaw: setting(
    "RETENTION_INBOUND_RAW",
    {
      type: "duration",
      default: "forever",
      meaning: "how long received mails are stored as raw MIME after processing; at most as long as message bodies"
    },
    optional(parsed(duration))
  )
}
