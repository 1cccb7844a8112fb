import { HttpApiBuilder } from "@effect/platform"
import { Analytics } from "@switchboard/services/analytics/Analytics"
import { Exports } from "@switchboard/services/analytics/Exports"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { answerExport } from "../exports/AnswerExport.js"
import { withBodies } from "../http/WithBodies.js"
import { eventForms, exportText, messageForms } from "./ExportForms.js"

export const AnalyticsHttp = HttpApiBuilder.group(
  Api,
  "analytics",
  Effect.fnUntraced(function* (handlers) {
    const analytics = yield* Analytics
    const exports = yield* Exports
    return handlers
      .handle("stats", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.stats(organizationId, urlParams))
      )
      .handle("channelStats", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => analytics.channelStats(organizationId, urlParams))
      )
      .handle("deliveryMetrics", ({ urlParams: { granularity, ...asked } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          analytics.deliveryMetrics(organizationId, asked, granularity)
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
      .pipe(withBodies)
  })
)
