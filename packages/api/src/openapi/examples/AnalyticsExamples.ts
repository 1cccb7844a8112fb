import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { eventColumns } from "../../analytics/ExportColumns.js"
import { csvHeader, csvRows } from "../../csv/Csv.js"

/** Examples by operation id. */
export const whatsAppStatsExamples = {
  "whatsappStats.get": {
    response: {
      totalSent: 20,
      totalDelivered: 18,
      totalRead: 15,
      totalFailed: 5,
      deliveryRate: 0.9,
      readRate: 0.75,
      failureRate: 0.2
    }
  }
}

/** Examples by operation id. */
export const emailStatsExamples = {
  "emailStats.get": {
    response: {
      totalSent: 48,
      totalDelivered: 48,
      totalRead: 12,
      totalClicked: 5,
      totalBounced: 2,
      totalComplained: 1,
      totalFailed: 0,
      totalReceived: 11,
      deliveryRate: 0.96,
      readRate: 0.24,
      clickRate: 0.1,
      bounceRate: 0.04,
      complaintRate: 0.02
    }
  }
}

/** One row of an export. */
const exportExample = {
  id: "01a1fc1d-e1c9-7d52-8a0c-55f3b1b2c3d4",
  type: "email_block.created",
  timestamp: "2026-11-20T09:30:02.000Z",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  data: eventExamples["email_block.created"]
}

const text = { type: "string" }

/** Formats of exports besides JSON, by media type. */
const exportContents = {
  "text/csv": {
    schema: { ...text, description: "A line of column names, then one line per row." },
    example:
      csvHeader(eventColumns) +
      csvRows([
        [
          exportExample.id,
          exportExample.type,
          exportExample.timestamp,
          exportExample.organizationId,
          JSON.stringify(exportExample.data)
        ]
      ])
  },
  "application/x-ndjson": {
    schema: { ...text, description: "One JSON object per line, in the form of the items of `application/json`." },
    example: `${JSON.stringify(exportExample)}\n`
  }
}

const figures = { sent: 48, delivered: 47, failed: 1, bounced: 1, p50Ms: 61, p95Ms: 248 }

const sentCounts = {
  accepted: 50,
  sent: 48,
  delivered: 47,
  read: 12,
  clicked: 5,
  failed: 1,
  bounced: 1,
  refused: 1,
  complained: 0
}
const emailCounts = { ...sentCounts, received: 11, cost: "0.02" }
const noCounts = { ...Object.fromEntries(Object.keys(emailCounts).map((name) => [name, 0])), cost: "0" }

/** Examples by operation id. */
export const analyticsExamples = {
  "analytics.stats": {
    response: {
      totalMessages: 61,
      outbound: 50,
      inbound: 11,
      activeConversations: 9,
      averageResponseSeconds: 312.4,
      deliveryRate: 0.96,
      failureRate: 0.02
    }
  },
  "analytics.channelStats": {
    response: ["sms", "whatsapp", "email", "voice"].map((channel) =>
      channel === "email" ? { channel, ...emailCounts } : { channel, ...noCounts }
    )
  },
  "analytics.deliveryMetrics": {
    response: {
      granularity: "day",
      series: [{ timestamp: "2026-11-19T23:00:00.000Z", ...figures }],
      totals: figures
    }
  },
  "analytics.hourlyDistribution": {
    response: Array.from({ length: 24 }, (_, hour) =>
      hour === 9 ? { hour, count: 61, delivered: 47, failed: 1 } : { hour, count: 0, delivered: 0, failed: 0 }
    )
  },
  "analytics.topParticipants": {
    response: [
      {
        participantId: "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa",
        name: "ada@example.com",
        messageCount: 14,
        lastMessageAt: "2026-11-20T09:30:00.000Z"
      }
    ]
  },
  "analytics.geographicDistribution": {
    response: [
      { country: "DE", region: "Berlin", count: 31 },
      { country: "GB", region: "unknown", count: 12 },
      { country: "unknown", region: "unknown", count: 7 }
    ]
  },
  "analytics.failures": {
    response: [
      { reason: "user_unknown", count: 9, share: 0.75 },
      { reason: "mailbox_full", count: 3, share: 0.25 }
    ]
  },
  "analytics.export": { response: [exportExample], otherContents: exportContents }
}
