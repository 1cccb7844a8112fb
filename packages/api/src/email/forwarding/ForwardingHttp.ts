import { HttpApiBuilder } from "@effect/platform"
import { ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { pageRequest } from "@switchboard/domain/Page"
import { ForwardingRules } from "@switchboard/services/email/forwarding/ForwardingRules"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"

export const ForwardingHttp = HttpApiBuilder.group(
  Api,
  "forwarding",
  Effect.fnUntraced(function* (handlers) {
    const rules = yield* ForwardingRules
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => rules.list(organizationId, filters, pageRequest(params)))
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => rules.create(organizationId, payload),
          (id, { organizationId }) => rules.get(organizationId, ForwardingRuleId.make(id))
        )
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => rules.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(rules.remove(organizationId, id), removed))
      )
      .handle("log", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => rules.log(organizationId, pageRequest(urlParams)))
      )
      .pipe(withBodies)
  })
)
