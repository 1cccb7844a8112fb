import { HttpApiBuilder } from "@effect/platform"
import { WhatsAppStats } from "@switchboard/domain/whatsapp/WhatsAppStats"
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { respond } from "../Respond.js"

const answer = respond(WhatsAppStats)

export const WhatsAppStatsHttp = HttpApiBuilder.group(
  Api,
  "whatsappStats",
  Effect.fnUntraced(function* (handlers) {
    const { stats } = yield* WhatsAppStatistics
    return handlers.handleRaw("get", ({ urlParams }) =>
      Effect.flatMap(CurrentCaller, ({ organizationId }) =>
        Effect.map(stats(organizationId, urlParams), (found) => answer(found))
      )
    )
  })
)
