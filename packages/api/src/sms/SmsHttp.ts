import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { OptOutId } from "@switchboard/domain/sms/OptOut"
import { Numbers } from "@switchboard/services/sms/Numbers"
import { OptOuts } from "@switchboard/services/sms/OptOuts"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

export const NumbersHttp = HttpApiBuilder.group(
  Api,
  "numbers",
  Effect.fnUntraced(function* (handlers) {
    const numbers = yield* Numbers
    return yield* handlers
      .handle("list", () =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(numbers.list(organizationId), (items) => ({ items }))
        )
      )
      .pipe(withBodies)
  })
)

export const OptOutsHttp = HttpApiBuilder.group(
  Api,
  "optOuts",
  Effect.fnUntraced(function* (handlers) {
    const optOuts = yield* OptOuts
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          optOuts.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => optOuts.add(organizationId, payload),
          (id, { organizationId }) => optOuts.get(organizationId, OptOutId.make(id))
        )
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(optOuts.remove(organizationId, id), removed))
      )
      .pipe(withBodies)
  })
)
