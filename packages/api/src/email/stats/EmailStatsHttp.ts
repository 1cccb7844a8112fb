import { HttpApiBuilder } from "@effect/platform"
import { EmailStats } from "@switchboard/domain/email/stats/EmailStats"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { respond } from "../../Respond.js"

const answer = respond(EmailStats)

export const EmailStatsHttp = HttpApiBuilder.group(
  Api,
  "emailStats",
  Effect.fnUntraced(function* (handlers) {
    const { stats } = yield* EmailStatistics
    return handlers.handleRaw("get", ({ urlParams }) =>
      Effect.flatMap(CurrentCaller, ({ organizationId }) =>
        Effect.map(stats(organizationId, urlParams), (found) => answer(found))
      )
    )
  })
)
