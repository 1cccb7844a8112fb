import { HttpApiBuilder } from "@effect/platform"
import { ReceivingDomains } from "@switchboard/services/email/receiving/addresses/ReceivingDomains"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { withBodies } from "../../http/WithBodies.js"

export const ReceivingHttp = HttpApiBuilder.group(
  Api,
  "receiving",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* ReceivingDomains
    return yield* handlers
      .handle("enable", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => domains.enable(organizationId, payload))
      )
      .pipe(withBodies)
  })
)
