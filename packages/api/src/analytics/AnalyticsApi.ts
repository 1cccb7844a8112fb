import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AnalyticsStats } from "@switchboard/domain/analytics/AnalyticsStats"
import { ChannelStats } from "@switchboard/domain/analytics/ChannelStats"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
import { DeliveryMetrics, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import { Export, ExportFormat, ExportType } from "@switchboard/domain/analytics/Export"
import { GeographicEntry } from "@switchboard/domain/analytics/GeographicEntry"
import { HourlyDistribution } from "@switchboard/domain/analytics/HourlyDistribution"
import { TopParticipant } from "@switchboard/domain/analytics/TopParticipant"
import { Schema } from "effect"
import { Examples, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { analyticsExamples } from "./AnalyticsExamples.js"
import { exportDescription } from "./ExportDescription.js"
import { rangeDescription } from "./RangeDescription.js"

const params = Schema.Struct(DateRangeParams)

export const AllChannelStats = Schema.Array(ChannelStats)
export const TopParticipants = Schema.Array(TopParticipant)
export const GeographicDistribution = Schema.Array(GeographicEntry)

/** What can be told of many messages at once. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("stats", "/analytics/stats")
      .setUrlParams(params)
      .addSuccess(AnalyticsStats)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Count messages")
      .annotate(OpenApi.Description, `What was going on, over all channels. ${rangeDescription}`)
  )
  .add(
    HttpApiEndpoint.get("channelStats", "/analytics/channel-stats")
      .setUrlParams(params)
      .addSuccess(AllChannelStats)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Count messages by channel")
      .annotate(OpenApi.Description, `Every channel, with what its messages cost. ${rangeDescription}`)
  )
  .add(
    HttpApiEndpoint.get("deliveryMetrics", "/analytics/delivery-metrics")
      .setUrlParams(Schema.Struct({ ...DateRangeParams, granularity: Schema.optional(Granularity) }))
      .addSuccess(DeliveryMetrics)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Measure delivery over time")
      .annotate(
        OpenApi.Description,
        `Every hour or day that has a part in the range, oldest first, as the clocks of the organization's time zone show them: hours unless told otherwise where the range has no more than two days. The time that a scheduled message waits for is part of its time. ${rangeDescription}`
      )
  )
  .add(
    HttpApiEndpoint.get("hourlyDistribution", "/analytics/hourly-distribution")
      .setUrlParams(params)
      .addSuccess(HourlyDistribution)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Count messages by the hour of the day")
      .annotate(
        OpenApi.Description,
        `All 24 hours, as the clocks of the organization's time zone show them. ${rangeDescription}`
      )
  )
  .add(
    HttpApiEndpoint.get("topParticipants", "/analytics/top-participants")
      .setUrlParams(params)
      .addSuccess(TopParticipants)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "List those with whom the most was exchanged")
      .annotate(
        OpenApi.Description,
        "The ten participants who got or wrote the most messages of the range, most first; `lastMessageAt` is before its end. The organization's own senders are not among them, nor are messages whose record was deleted. Of more than 250,000 messages the latest count. From `startDate` on (default: 30 days before the end) and before `endDate` (default: now), at most 366 days."
      )
  )
  .add(
    HttpApiEndpoint.get("geographicDistribution", "/analytics/geographic-distribution")
      .setUrlParams(params)
      .addSuccess(GeographicDistribution)
      .annotate(Permission, "analytics.read")
      .annotate(OpenApi.Summary, "Count recipients by where they are")
      .annotate(
        OpenApi.Description,
        "Recipients of the messages that were accepted in the range, by the country and region of the participant, or else by the country of its phone number, most first; `unknown` where nobody knows. Messages whose record was deleted have no recipients any more. Of more than 250,000 messages the latest count. From `startDate` on (default: 30 days before the end) and before `endDate` (default: now), at most 366 days."
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
  .annotate(Examples, analyticsExamples)
  .annotate(OpenApi.Title, "Analytics") {}
