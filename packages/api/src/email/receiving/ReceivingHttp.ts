import { HttpApiBuilder } from "@effect/platform"
import { CatchAlls, ReceivingDomains } from "@switchboard/services/email/receiving/addresses/ReceivingDomains"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { withBodies } from "../../http/WithBodies.js"

export const CatchAllHttp = HttpApiBuilder.group(
  Api,
  "catchAll",
  Effect.fnUntraced(function* (handlers) {
    const catchAlls = yield* CatchAlls
    return yield* handlers
      .handle("enable", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => catchAlls.enable(organizationId, payload))
      )
      .handle("disable", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => catchAlls.disable(organizationId, payload))
      )
      .handle("config", ({ urlParams: { domain } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => catchAlls.config(organizationId, domain))
      )
      .handle("update", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => catchAlls.update(organizationId, payload))
      )
      .handle("stats", ({ urlParams: { domain } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => catchAlls.stats(organizationId, domain))
      )
      .pipe(withBodies)
  })
)

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
