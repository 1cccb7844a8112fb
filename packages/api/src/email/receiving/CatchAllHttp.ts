import { HttpApiBuilder } from "@effect/platform"
import {
  CatchAllConfig,
  CatchAllStats,
  SwitchCatchAll,
  UpdateCatchAll
} from "@switchboard/domain/email/receiving/CatchAll"
import { CatchAlls } from "@switchboard/services/email/receiving/CatchAlls"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody } from "../../Door.js"
import { respond } from "../../Respond.js"

const answerConfig = respond(CatchAllConfig)
const answerStats = respond(CatchAllStats)

const readSwitch = readBody(SwitchCatchAll)
const readUpdate = readBody(UpdateCatchAll)

export const CatchAllHttp = HttpApiBuilder.group(
  Api,
  "catchAll",
  Effect.fnUntraced(function* (handlers) {
    const catchAlls = yield* CatchAlls
    return handlers
      .handleRaw("enable", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerConfig(yield* catchAlls.enable(organizationId, yield* readSwitch))
        })
      )
      .handleRaw("disable", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerConfig(yield* catchAlls.disable(organizationId, yield* readSwitch))
        })
      )
      .handleRaw("config", ({ urlParams: { domain } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(catchAlls.config(organizationId, domain), (found) => answerConfig(found))
        )
      )
      .handleRaw("update", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerConfig(yield* catchAlls.update(organizationId, yield* readUpdate))
        })
      )
      .handleRaw("stats", ({ urlParams: { domain } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(catchAlls.stats(organizationId, domain), (found) => answerStats(found))
        )
      )
  })
)
