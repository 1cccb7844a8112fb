import { defaultRetention } from "@switchboard/services/retention/RetentionSettings"
import { parsed, setting } from "./Setting.js"
import { duration, optional, withDefault } from "./SettingValues.js"

/** How long things are kept. */
export const retentionSettings = {
  retentionMessageBodies: setting(
    "RETENTION_MESSAGE_BODIES",
    {
      type: "duration",
      default: "for ever",
      meaning: "how long html, text and files of messages are kept, once nobody sends them any more"
    },
    optional(parsed(duration))
  ),
  retentionEvents: setting(
    "RETENTION_EVENTS",
    {
      type: "duration",
      default: "for ever",
      meaning:
        "how long events are kept, once webhooks were told, and the logs of forwarding and blocks; statistics of a part of a quarter of an hour need them"
    },
    optional(parsed(duration))
  ),
  retentionWebhookAttempts: setting(
    "RETENTION_WEBHOOK_ATTEMPTS",
    {
      type: "duration",
      default: "30 days",
      meaning: "how long attempts of webhooks are kept, and deliveries that ended"
    },
    withDefault(parsed(duration), defaultRetention)
  ),
  retentionKeyActivity: setting(
    "RETENTION_KEY_ACTIVITY",
    { type: "duration", default: "30 days", meaning: "how long it is kept what API keys were used for" },
    withDefault(parsed(duration), defaultRetention)
  ),
  retentionInboundRaw: setting(
    "RETENTION_INBOUND_RAW",
    {
      type: "duration",
      default: "for ever",
      meaning: "how long mails are kept as they came in, once they are messages; no longer than their bodies"
    },
    optional(parsed(duration))
  )
}
