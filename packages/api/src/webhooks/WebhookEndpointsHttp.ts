import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { EndpointDeliveries, WebhookTests } from "@switchboard/services/webhooks/EndpointDeliveries"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { invalid } from "../http/body/DecodeBody.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

export const WebhookEndpointsHttp = HttpApiBuilder.group(
  Api,
  "webhookEndpoints",
  Effect.fnUntraced(function* (handlers) {
    const endpoints = yield* WebhookEndpoints
    const once = yield* handleOnce
    const deliveries = yield* EndpointDeliveries
    const tests = yield* WebhookTests
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          endpoints.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle(
        "create",
        once(
          ({ payload }, caller) => endpoints.create(caller, payload),
          (id, { organizationId }) => endpoints.get(organizationId, WebhookEndpointId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => endpoints.get(organizationId, id))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, (caller) => endpoints.update(caller, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(endpoints.remove(organizationId, id), removed))
      )
      .handle("regenerateSecret", ({ path: { webhookId }, payload }) =>
        payload.webhookId === undefined || payload.webhookId === webhookId
          ? Effect.flatMap(CurrentCaller, ({ organizationId }) => endpoints.regenerateSecret(organizationId, webhookId))
          : invalid({ webhookId: ["must be the same as in the path"] })
      )
      .handle("logs", ({ path: { id }, urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          deliveries.logs(organizationId, id, filters, pageRequest(params))
        )
      )
      .handle("delivery", ({ path: { deliveryId, id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => deliveries.get(organizationId, id, deliveryId))
      )
      .handle("stats", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => deliveries.stats(organizationId, id))
      )
      .handle("test", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => tests.test(organizationId, id, payload))
      )
      .handle("retry", ({ path: { deliveryId, id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => deliveries.retry(organizationId, id, deliveryId))
      )
      .handle("recover", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => deliveries.recover(organizationId, id, payload.since))
      )
      .pipe(withBodies)
  })
)
