import { HttpApiBuilder } from "@effect/platform"
import { AnalyticsStats } from "@switchboard/domain/analytics/AnalyticsStats"
import { DeliveryMetrics } from "@switchboard/domain/analytics/DeliveryMetrics"
import { HourlyDistribution } from "@switchboard/domain/analytics/HourlyDistribution"
import { Analytics } from "@switchboard/services/analytics/Analytics"
import { Exports } from "@switchboard/services/analytics/Exports"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { answerExport } from "../exports/AnswerExport.js"
import { respond } from "../Respond.js"
import { AllChannelStats, GeographicDistribution, TopParticipants } from "./AnalyticsApi.js"
import { eventForms, exportText, messageForms } from "./ExportForms.js"

const answerStats = respond(AnalyticsStats)
const answerChannels = respond(AllChannelStats)
const answerMetrics = respond(DeliveryMetrics)
const answerHours = respond(HourlyDistribution)
const answerTop = respond(TopParticipants)
const answerGeography = respond(GeographicDistribution)

export const AnalyticsHttp = HttpApiBuilder.group(
  Api,
  "analytics",
  Effect.fnUntraced(function* (handlers) {
    const analytics = yield* Analytics
    const exports = yield* Exports
    return handlers
      .handleRaw("stats", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(analytics.stats(organizationId, urlParams), (found) => answerStats(found))
        )
      )
      .handleRaw("channelStats", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(analytics.channelStats(organizationId, urlParams), (found) => answerChannels(found))
        )
      )
      .handleRaw("deliveryMetrics", ({ urlParams: { granularity, ...asked } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(analytics.deliveryMetrics(organizationId, asked, granularity), (found) => answerMetrics(found))
        )
      )
      .handleRaw("hourlyDistribution", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(analytics.hourlyDistribution(organizationId, urlParams), (found) => answerHours(found))
        )
      )
      .handleRaw("topParticipants", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(analytics.topParticipants(organizationId, urlParams), (found) => answerTop(found))
        )
      )
      .handleRaw("geographicDistribution", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(analytics.geographicDistribution(organizationId, urlParams), (found) => answerGeography(found))
        )
      )
      .handleRaw("export", ({ urlParams: { format = "json", type = "messages", ...asked } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          type === "messages"
            ? Effect.flatMap(exports.messages(organizationId, asked), (pages) =>
                answerExport(type, format, exportText(format, messageForms, pages))
              )
            : Effect.flatMap(exports.events(organizationId, asked), (pages) =>
                answerExport(type, format, exportText(format, eventForms, pages))
              )
        )
      )
  })
)
