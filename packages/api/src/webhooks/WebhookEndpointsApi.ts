import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import {
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookStats
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import {
  CreateWebhookEndpoint,
  RecoveredWebhook,
  RecoverWebhook,
  RegeneratedSecret,
  RegenerateSecret,
  TestWebhook,
  UpdateWebhookEndpoint,
  WebhookDeliveryFilters,
  WebhookEndpointFilters
} from "@switchboard/domain/webhooks/WebhookRequests"
import { Schema } from "effect"
import { Audit, auditReasons, Extension, Location, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Removed } from "../CommonShapes.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../JsonParameter.js"

const id = Schema.Struct({ id: WebhookEndpointId })
const delivery = Schema.Struct({ id: WebhookEndpointId, deliveryId: WebhookDeliveryId })

/** Query parameters of the list of endpoints. */
export const WebhookEndpointListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(WebhookEndpointFilters, { status: "active", search: "orders" }))
})

/** Query parameters of the list of deliveries. */
export const WebhookDeliveryListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(WebhookDeliveryFilters, { status: "failed", event: "message.sent" }))
})

export const WebhookEndpointPage = Page(WebhookEndpoint).annotations({ identifier: "WebhookEndpointPage" })
export const WebhookDeliveryPage = Page(WebhookDelivery).annotations({ identifier: "WebhookDeliveryPage" })

/** Webhook endpoints and the deliveries to them. */
export class WebhookEndpointsApi extends HttpApiGroup.make("webhookEndpoints")
  .add(
    HttpApiEndpoint.get("list", "/webhook-endpoints")
      .setUrlParams(WebhookEndpointListParams)
      .addSuccess(WebhookEndpointPage)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "List webhook endpoints")
      .annotate(
        OpenApi.Description,
        "Webhook endpoints of the organization, newest first, with those of voice agents (`type` `voice_agent`). Their secrets are not shown."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/webhook-endpoints")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateWebhookEndpoint)
      .addSuccess(WebhookEndpoint, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Location, "/v1/webhook-endpoints/:id")
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Create a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Subscribes a URL to events. Requests are signed according to Standard Webhooks. Only this response has the secret, in `config` and `configuration`. The events are listed under `webhooks` of this document."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/webhook-endpoints/:id")
      .setPath(id)
      .addSuccess(WebhookEndpoint)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "Retrieve a webhook endpoint")
      .annotate(OpenApi.Description, "Returns the endpoint. `metrics` has the results of its deliveries and attempts.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/webhook-endpoints/:id")
      .setPath(id)
      .setPayload(UpdateWebhookEndpoint)
      .addSuccess(WebhookEndpoint)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Update a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Changes the given fields. `filters`, `rateLimit` and `headers` are replaced completely. `null` resets a field that a creation may omit. A paused endpoint keeps its pending deliveries. They are sent when it becomes active again, also after it was disabled. Of a voice agent's webhook only `status`, `description`, `priority` and `rateLimit` can be changed here; 409 for other fields."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/webhook-endpoints/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Delete a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Deletes the endpoint and its deliveries. Pending deliveries are not sent. 409: it is the webhook of a voice agent, which is removed with the agent."
      )
  )
  .add(
    HttpApiEndpoint.post("regenerateSecret", "/webhook-endpoints/:webhookId/regenerate-secret")
      .setPath(Schema.Struct({ webhookId: WebhookEndpointId }))
      .setPayload(RegenerateSecret)
      .addSuccess(RegeneratedSecret)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Regenerate the signing secret")
      .annotate(
        OpenApi.Description,
        "Only this response has the new secret. Each replaced secret also signs for 24 hours after its replacement: at most 10, without the one nearest its end."
      )
  )
  .add(
    HttpApiEndpoint.get("logs", "/webhook-endpoints/:id/logs")
      .setPath(id)
      .setUrlParams(WebhookDeliveryListParams)
      .addSuccess(WebhookDeliveryPage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "List the deliveries to a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Deliveries of the last 30 days, newest first, with the requests and responses of their attempts."
      )
  )
  .add(
    HttpApiEndpoint.get("delivery", "/webhook-endpoints/:id/deliveries/:deliveryId")
      .setPath(delivery)
      .addSuccess(WebhookDelivery)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a delivery to a webhook endpoint")
      .annotate(OpenApi.Description, "Returns the delivery with the requests and responses of its attempts.")
  )
  .add(
    HttpApiEndpoint.get("stats", "/webhook-endpoints/:id/stats")
      .setPath(id)
      .addSuccess(WebhookStats)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "Retrieve the delivery statistics of a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Counts deliveries and attempts since the endpoint was created, without tests. `successRate` is that of the attempts."
      )
  )
  .add(
    HttpApiEndpoint.post("test", "/webhook-endpoints/:id/test")
      .setPath(id)
      .setPayload(TestWebhook)
      .addSuccess(WebhookDelivery)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.check })
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Test a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Posts one signed example event at once and returns the result, within 15 seconds. It has no effect on the status of the endpoint."
      )
  )
  .add(
    HttpApiEndpoint.post("retry", "/webhook-endpoints/:id/deliveries/:deliveryId/retry")
      .setPath(delivery)
      .addSuccess(WebhookDelivery)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Audit, { withoutValues: "The delivery has a record of each attempt." })
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Retry a delivery")
      .annotate(
        OpenApi.Description,
        "Makes one attempt as soon as possible, for a delivery of any status. 409: the endpoint is not active, or the delivery is a test."
      )
  )
  .add(
    HttpApiEndpoint.post("recover", "/webhook-endpoints/:id/recover")
      .setPath(id)
      .setPayload(RecoverWebhook)
      .addSuccess(RecoveredWebhook)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { withoutValues: "The deliveries have a record of each attempt." })
      .annotate(Permission, "webhooks.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retry all failed deliveries of an endpoint")
      .annotate(
        OpenApi.Description,
        [
          "Delivers again, with the complete retry schedule:",
          "",
          "- deliveries that failed since `since` (at most 30 days ago), and",
          "- events that occurred while the endpoint was disabled."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Webhook endpoints") {}
