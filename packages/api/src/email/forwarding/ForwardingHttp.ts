import { HttpApiBuilder } from "@effect/platform"
import { ForwardingRule } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { CreateForwardingRule, UpdateForwardingRule } from "@switchboard/domain/email/forwarding/ForwardingRuleRequests"
import { pageRequest } from "@switchboard/domain/Page"
import { ForwardingRules } from "@switchboard/services/email/forwarding/ForwardingRules"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody, readOptionalBody } from "../../Door.js"
import { respond } from "../../Respond.js"
import { Removed } from "../../Wire.js"
import { ForwardingLogPage, ForwardingRulePage } from "./ForwardingApi.js"

const answerRule = respond(ForwardingRule)
const answerCreated = respond(ForwardingRule, 201)
const answerPage = respond(ForwardingRulePage)
const answerLog = respond(ForwardingLogPage)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateForwardingRule)
const readUpdate = readOptionalBody(UpdateForwardingRule)

export const ForwardingHttp = HttpApiBuilder.group(
  Api,
  "forwarding",
  Effect.fnUntraced(function* (handlers) {
    const rules = yield* ForwardingRules
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(rules.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* rules.create(organizationId, yield* readCreate))
        })
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerRule(yield* rules.update(organizationId, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(rules.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("log", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(rules.log(organizationId, pageRequest(urlParams)), (found) => answerLog(found))
        )
      )
  })
)
