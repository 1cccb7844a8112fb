import { HttpApiBuilder } from "@effect/platform"
import { Analytics } from "@switchboard/services/analytics/Analytics"
import { Exports } from "@switchboard/services/analytics/Exports"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { exportResponse } from "../exports/ExportResponse.js"
import { jsonTextResponse } from "../http/JsonResponse.js"
import { withBodies } from "../http/WithBodies.js"
import { eventEncoders, exportText, messageEncoders } from "./ExportFormats.js"

export const AnalyticsHttp = HttpApiBuilder.group(
  Api,
  "analytics",
  Effect.fnUntraced(function* (handlers) {
    const analytics = yield* Analytics
    const exports = yield* Exports
    return yield* handlers
      .handle("stats", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.stats(organizationId, urlParams))
      )
      .handle("channelStats", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.channelStats(organizationId, urlParams))
      )
      .handle("deliveryMetrics", ({ urlParams: { granularity, ...requested } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(analytics.deliveryMetrics(organizationId, requested, granularity), (json) =>
            jsonTextResponse(json)
          )
        )
      )
      .handle("hourlyDistribution", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.hourlyDistribution(organizationId, urlParams))
      )
      .handle("topParticipants", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.topParticipants(organizationId, urlParams))
      )
      .handle("geographicDistribution", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          analytics.geographicDistribution(organizationId, urlParams)
        )
      )
      .handle("failures", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.failures(organizationId, urlParams))
      )
      .handleRaw("export", ({ urlParams: { format = "json", type = "messages", ...requested } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          type === "messages"
            ? Effect.flatMap(exports.messages(organizationId, requested), (pages) =>
                exportResponse(type, format, exportText(format, messageEncoders, pages))
              )
            : Effect.flatMap(exports.events(organizationId, requested), (pages) =>
                exportResponse(type, format, exportText(format, eventEncoders, pages))
              )
        )
      )
      .pipe(withBodies)
  })
)
