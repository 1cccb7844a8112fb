import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import {
  RecoveredWebhook,
  RecoverWebhook,
  RegeneratedSecret,
  TestWebhook
} from "@switchboard/domain/webhooks/WebhookActions"
import {
  WebhookDelivery,
  WebhookEndpoint,
  type WebhookEndpointId,
  WebhookStats
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import {
  CreateWebhookEndpoint,
  RegenerateSecret,
  UpdateWebhookEndpoint
} from "@switchboard/domain/webhooks/WebhookRequests"
import { EndpointDeliveries } from "@switchboard/services/webhooks/EndpointDeliveries"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { WebhookTests } from "@switchboard/services/webhooks/WebhookTests"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { invalid, readBody, readOptionalBody } from "../Door.js"
import { respond } from "../Respond.js"
import { Removed } from "../Wire.js"
import { WebhookDeliveryPage, WebhookEndpointPage } from "./WebhookEndpointsApi.js"

const answerEndpoint = respond(WebhookEndpoint)
const answerCreated = respond(WebhookEndpoint, 201)
const answerPage = respond(WebhookEndpointPage)
const answerSecret = respond(RegeneratedSecret)
const answerLogs = respond(WebhookDeliveryPage)
const answerStats = respond(WebhookStats)
const answerDelivery = respond(WebhookDelivery)
const answerRecovered = respond(RecoveredWebhook)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateWebhookEndpoint)
const readUpdate = readOptionalBody(UpdateWebhookEndpoint)
const readTest = readOptionalBody(TestWebhook)
const readRecover = readBody(RecoverWebhook)

/** Nothing but the path's own id, which may be repeated. */
const readRegenerate = (id: WebhookEndpointId) =>
  Effect.flatMap(readOptionalBody(RegenerateSecret), ({ webhookId = id }) =>
    webhookId === id ? Effect.void : invalid({ webhookId: ["must be the same as in the path"] })
  )

export const WebhookEndpointsHttp = HttpApiBuilder.group(
  Api,
  "webhookEndpoints",
  Effect.fnUntraced(function* (handlers) {
    const endpoints = yield* WebhookEndpoints
    const deliveries = yield* EndpointDeliveries
    const tests = yield* WebhookTests
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(endpoints.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerCreated(yield* endpoints.create(caller, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(endpoints.get(organizationId, id), (found) => answerEndpoint(found))
        )
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerEndpoint(yield* endpoints.update(caller, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(endpoints.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("regenerateSecret", ({ path: { webhookId } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          yield* readRegenerate(webhookId)
          return answerSecret(yield* endpoints.regenerateSecret(organizationId, webhookId))
        })
      )
      .handleRaw("logs", ({ path: { id }, urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(deliveries.logs(organizationId, id, filters, pageRequest(params)), (found) => answerLogs(found))
        )
      )
      .handleRaw("stats", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(deliveries.stats(organizationId, id), (found) => answerStats(found))
        )
      )
      .handleRaw("test", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerDelivery(yield* tests.test(organizationId, id, yield* readTest))
        })
      )
      .handleRaw("retry", ({ path: { deliveryId, id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(deliveries.retry(organizationId, id, deliveryId), (found) => answerDelivery(found))
        )
      )
      .handleRaw("recover", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { since } = yield* readRecover
          return answerRecovered(yield* deliveries.recover(organizationId, id, since))
        })
      )
  })
)
