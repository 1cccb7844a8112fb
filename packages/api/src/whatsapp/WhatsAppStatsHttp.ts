import { HttpApiBuilder } from "@effect/platform"
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"

export const WhatsAppStatsHttp = HttpApiBuilder.group(
  Api,
  "whatsappStats",
  Effect.fnUntraced(function* (handlers) {
    const { stats } = yield* WhatsAppStatistics
    return yield* handlers
      .handle("get", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => stats(organizationId, urlParams))
      )
      .pipe(withBodies)
  })
)
