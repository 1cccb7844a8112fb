import { HttpApiBuilder } from "@effect/platform"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { pageRequest } from "@switchboard/domain/Page"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

export const ApiKeysHttp = HttpApiBuilder.group(
  Api,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ManagedKeys
    const once = yield* handleOnce
    const activity = yield* KeyActivity
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => keys.list(organizationId, filters, pageRequest(params)))
      )
      .handle(
        "create",
        once(
          ({ payload }, caller) => keys.create(caller, payload),
          (id, { organizationId }) => keys.get(organizationId, ApiKeyId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => keys.get(organizationId, id))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, (caller) => keys.update(caller, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, (caller) => Effect.as(keys.remove(caller, id), removed))
      )
      .handle("rotate", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, (caller) => keys.rotate(caller, id, payload))
      )
      .handle("activity", ({ path: { id }, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => activity.list(organizationId, id, pageRequest(urlParams)))
      )
      .handle("stats", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => activity.stats(organizationId, id))
      )
      .pipe(withBodies)
  })
)
