import { HttpApiBuilder } from "@effect/platform"
import { CatchAlls } from "@switchboard/services/email/receiving/addresses/CatchAlls"
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
