import { HttpApiBuilder } from "@effect/platform"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { withBodies } from "../../http/WithBodies.js"

export const EmailStatsHttp = HttpApiBuilder.group(
  Api,
  "emailStats",
  Effect.fnUntraced(function* (handlers) {
    const { stats } = yield* EmailStatistics
    return yield* handlers
      .handle("get", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => stats(organizationId, urlParams))
      )
      .pipe(withBodies)
  })
)
