import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AnalyticsStats } from "@switchboard/domain/analytics/AnalyticsStats"
import { ChannelStats } from "@switchboard/domain/analytics/ChannelStats"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
import { DeliveryMetrics, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import { Export, ExportFormat, ExportType } from "@switchboard/domain/analytics/Export"
import { FailureShare } from "@switchboard/domain/analytics/FailureShare"
import { GeographicEntry } from "@switchboard/domain/analytics/GeographicEntry"
import { HourlyDistribution } from "@switchboard/domain/analytics/HourlyDistribution"
import { TopParticipant } from "@switchboard/domain/analytics/TopParticipant"
import { Schema } from "effect"
import { Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { rangeDescription } from "../CommonShapes.js"
import { eventColumns, messageColumns } from "./ExportColumns.js"

/** Describes exports. */
const exportDescription = [
  "Streams all messages accepted in a range, or all events of it, oldest first, by id.",
  "",
  "- **Messages** are exported as `GET /messages/{id}` returns them, without `html` and `text`.",
  "- **Events** are exported as webhooks post them, without events of deleted messages.",
  "- **CSV** (RFC 4180) begins with a line of column names.",
  `- **Columns of messages:** ${messageColumns.map((name) => `\`${name}\``).join(", ")}. Lists are separated by commas.`,
  `- **Columns of events:** ${eventColumns.map((name) => `\`${name}\``).join(", ")}. \`data\` is JSON.`,
  "- New columns are appended. A cell that a spreadsheet would run as a formula gets a leading apostrophe.",
  "- An incomplete response ends without its last chunk. Messages accepted during the export may be missing.",
  "- At most 5 exports per organization and process at the same time (429)."
].join("\n")

const params = Schema.Struct(DateRangeParams)

export const AllChannelStats = Schema.Array(ChannelStats)
export const TopParticipants = Schema.Array(TopParticipant)
export const GeographicDistribution = Schema.Array(GeographicEntry)
export const Failures = Schema.Array(FailureShare)

/** Statistics and exports. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("stats", "/analytics/stats")
      .setUrlParams(params)
      .addSuccess(AnalyticsStats)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Retrieve message statistics")
      .annotate(OpenApi.Description, `Totals over all channels.\n\n${rangeDescription}`)
  )
  .add(
    HttpApiEndpoint.get("channelStats", "/analytics/channel-stats")
      .setUrlParams(params)
      .addSuccess(AllChannelStats)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Retrieve message statistics by channel")
      .annotate(OpenApi.Description, `Numbers and cost of messages, for every channel.\n\n${rangeDescription}`)
  )
  .add(
    HttpApiEndpoint.get("deliveryMetrics", "/analytics/delivery-metrics")
      .setUrlParams(Schema.Struct({ ...DateRangeParams, granularity: Schema.optional(Granularity) }))
      .addSuccess(DeliveryMetrics)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Retrieve delivery metrics over time")
      .annotate(
        OpenApi.Description,
        `Periods of the range in the organization's time zone, oldest first. The time until a scheduled message is due is part of its latency.\n\n${rangeDescription}`
      )
  )
  .add(
    HttpApiEndpoint.get("hourlyDistribution", "/analytics/hourly-distribution")
      .setUrlParams(params)
      .addSuccess(HourlyDistribution)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Count messages by hour of the day")
      .annotate(OpenApi.Description, `24 hours in the organization's time zone.\n\n${rangeDescription}`)
  )
  .add(
    HttpApiEndpoint.get("topParticipants", "/analytics/top-participants")
      .setUrlParams(params)
      .addSuccess(TopParticipants)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "List the most active participants")
      .annotate(
        OpenApi.Description,
        [
          "The ten participants with the most sent and received messages of the range, highest number first.",
          "",
          "- The organization's senders and deleted messages are not counted.",
          "- In an organization with some 100,000 participants whose numbers are about the same, one that is in no month of the range among the 256 most active can be left out."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("geographicDistribution", "/analytics/geographic-distribution")
      .setUrlParams(params)
      .addSuccess(GeographicDistribution)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Count recipients by country and region")
      .annotate(
        OpenApi.Description,
        [
          "Recipients of the messages accepted in the range, by country and region of the participant, or by country of its phone number. Highest number first; `unknown` without either.",
          "",
          "- Deleted messages are not counted.",
          "- All messages to a participant count at its present place: a change of the place takes effect within seconds."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("failures", "/analytics/failures")
      .setUrlParams(params)
      .addSuccess(Failures)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Count failures by reason")
      .annotate(
        OpenApi.Description,
        [
          "Recipients that bounced or failed, of the messages accepted in the range that ended as bounced or failed, by reason. Highest number first.",
          "",
          "- Cancelled and deleted messages are not counted, nor are refused recipients of a message that others have."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("export", "/analytics/export")
      .setUrlParams(
        Schema.Struct({
          type: Schema.optional(ExportType),
          format: Schema.optional(ExportFormat),
          ...DateRangeParams
        })
      )
      .addSuccess(Export)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Export messages or events")
      .annotate(OpenApi.Description, exportDescription)
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Analytics") {}
