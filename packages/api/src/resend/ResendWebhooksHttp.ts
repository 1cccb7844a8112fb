import { HttpApiBuilder } from "@effect/platform"
import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { Effect } from "effect"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { ResendApi } from "./ResendApi.js"
import { listOf, resendPage } from "./ResendShapes.js"
import {
  toEndpointChange,
  toListedWebhook,
  toNewEndpoint,
  toResendWebhook,
  withWebhookFields
} from "./ResendWebhook.js"

const referenceTo = (id: WebhookEndpointId) => ({ object: "webhook" as const, id })

export const ResendWebhooksHttp = HttpApiBuilder.group(
  ResendApi,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const endpoints = yield* WebhookEndpoints
    return yield* handlers
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const { configuration, id } = yield* withWebhookFields(
            Effect.flatMap(toNewEndpoint(payload), (endpoint) => endpoints.create(caller, endpoint))
          )
          return { ...referenceTo(id), signing_secret: configuration.secret ?? "" }
        })
      )
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return listOf(yield* endpoints.list(organizationId, {}, yield* resendPage(urlParams)), toListedWebhook)
        })
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(endpoints.get(organizationId, id), toResendWebhook)
        )
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          yield* withWebhookFields(
            Effect.flatMap(toEndpointChange(payload), (change) => endpoints.update(caller, id, change))
          )
          return referenceTo(id)
        })
      )
      .handle("rotate", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(endpoints.regenerateSecret(organizationId, id), ({ newSecret }) => ({
            ...referenceTo(id),
            signing_secret: newSecret
          }))
        )
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.as(endpoints.remove(organizationId, id), { ...referenceTo(id), deleted: true as const })
        )
      )
      .pipe(withBodies)
  })
)
