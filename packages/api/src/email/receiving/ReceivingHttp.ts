import { HttpApiBuilder } from "@effect/platform"
import { EnableReceiving, ReceivingEnabled } from "@switchboard/domain/email/receiving/EnableReceiving"
import { ReceivingDomains } from "@switchboard/services/email/receiving/ReceivingDomains"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody } from "../../Door.js"
import { respond } from "../../Respond.js"

const answerEnabled = respond(ReceivingEnabled)
const readEnable = readBody(EnableReceiving)

export const ReceivingHttp = HttpApiBuilder.group(
  Api,
  "receiving",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* ReceivingDomains
    return handlers.handleRaw("enable", () =>
      Effect.gen(function* () {
        const { organizationId } = yield* CurrentCaller
        return answerEnabled(yield* domains.enable(organizationId, yield* readEnable))
      })
    )
  })
)
