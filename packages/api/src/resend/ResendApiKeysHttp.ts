import { HttpApiBuilder } from "@effect/platform"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { Effect } from "effect"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { ResendApi } from "./ResendApi.js"
import { toNewKey, toResendKey } from "./ResendApiKeysApi.js"
import { listOf, resendPage } from "./ResendShapes.js"

export const ResendApiKeysHttp = HttpApiBuilder.group(
  ResendApi,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ManagedKeys
    return yield* handlers
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const { id, key } = yield* keys.create(yield* CurrentCaller, toNewKey(payload))
          return { id, token: key }
        })
      )
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return listOf(yield* keys.list(organizationId, {}, yield* resendPage(urlParams)), toResendKey)
        })
      )
      .handle("update", ({ path: { id }, payload: { name } }) =>
        Effect.flatMap(CurrentCaller, (caller) =>
          Effect.as(keys.update(caller, id, { name }), { object: "api_key" as const, id })
        )
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, (caller) =>
          Effect.as(keys.remove(caller, id), { object: "api_key" as const, id, deleted: true as const })
        )
      )
      .pipe(withBodies)
  })
)
