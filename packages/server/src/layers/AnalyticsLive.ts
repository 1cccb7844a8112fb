import { Analytics } from "@switchboard/services/analytics/Analytics"
import { Exports } from "@switchboard/services/analytics/Exports"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { Layer } from "effect"

/** Whatever tells of many messages at once. */
export const AnalyticsLive = Layer.mergeAll(
  Analytics.Default,
  EmailStatistics.Default,
  Exports.Default,
  WhatsAppStatistics.Default
)
