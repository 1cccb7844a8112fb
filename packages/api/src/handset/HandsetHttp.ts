import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { Handset } from "@switchboard/services/handset/Handset"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

export const HandsetHttp = HttpApiBuilder.group(
  Api,
  "handset",
  Effect.fnUntraced(function* (handlers) {
    const handset = yield* Handset
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => handset.list(organizationId, pageRequest(urlParams)))
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => handset.get(organizationId, id))
      )
      .handle(
        "reply",
        once(
          ({ path, payload }, { organizationId }) => handset.reply(organizationId, path.id, payload),
          // The reply was acknowledged: a repeat sends nothing.
          (_, { organizationId }, { path, payload }) => handset.answerTo(organizationId, path.id, payload)
        )
      )
      .pipe(withBodies)
  })
)
