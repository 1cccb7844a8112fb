import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import {
  RecoveredWebhook,
  RecoverWebhook,
  RegeneratedSecret,
  TestWebhook,
  WebhookDeliveryFilters,
  WebhookEndpointFilters
} from "@switchboard/domain/webhooks/WebhookActions"
import {
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookStats
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import {
  CreateWebhookEndpoint,
  RegenerateSecret,
  UpdateWebhookEndpoint
} from "@switchboard/domain/webhooks/WebhookRequests"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Removed } from "../CommonShapes.js"
import { Filters } from "../Filters.js"
import { webhookExamples } from "./WebhookExamples.js"

const id = Schema.Struct({ id: WebhookEndpointId })

/** What a list of endpoints may be narrowed to. */
export const WebhookEndpointListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(WebhookEndpointFilters, { status: "active", search: "orders" }))
})

/** What a list of deliveries may be narrowed to. */
export const WebhookDeliveryListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(WebhookDeliveryFilters, { status: "failed", event: "message.sent" }))
})

export const WebhookEndpointPage = Page(WebhookEndpoint).annotations({ identifier: "WebhookEndpointPage" })
export const WebhookDeliveryPage = Page(WebhookDelivery).annotations({ identifier: "WebhookDeliveryPage" })

/** Subscriptions to events, and what became of telling them. */
export class WebhookEndpointsApi extends HttpApiGroup.make("webhookEndpoints")
  .add(
    HttpApiEndpoint.get("list", "/webhook-endpoints")
      .setUrlParams(WebhookEndpointListParams)
      .addSuccess(WebhookEndpointPage)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "List webhook endpoints")
      .annotate(OpenApi.Description, "Endpoints of the organization, newest first. Their secrets are not shown.")
  )
  .add(
    HttpApiEndpoint.post("create", "/webhook-endpoints")
      .setPayload(CreateWebhookEndpoint)
      .addSuccess(WebhookEndpoint, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Subscribe a URL to events")
      .annotate(
        OpenApi.Description,
        "Requests are signed by Standard Webhooks with the secret that is in `config` of this answer alone. Subscribe to an event, to a group like `message.*`, or to `*`; the events are described under `webhooks`."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/webhook-endpoints/:id")
      .setPath(id)
      .addSuccess(WebhookEndpoint)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "Retrieve a webhook endpoint")
      .annotate(OpenApi.Description, "One endpoint as it is now, with how its deliveries went in `metrics`.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/webhook-endpoints/:id")
      .setPath(id)
      .setPayload(UpdateWebhookEndpoint)
      .addSuccess(WebhookEndpoint)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Update a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Changes what is given; `filters`, `rateLimit` and `headers` are replaced as wholes. A paused endpoint keeps what is pending; one that becomes active again, also after it was disabled, gets it at once."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/webhook-endpoints/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Remove a webhook endpoint")
      .annotate(OpenApi.Description, "Erases the endpoint with its deliveries; what is pending is not delivered.")
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
        "The new secret is in this answer alone. Requests carry signatures of both for 24 hours, so that receivers can be changed in the meantime."
      )
  )
  .add(
    HttpApiEndpoint.get("logs", "/webhook-endpoints/:id/logs")
      .setPath(id)
      .setUrlParams(WebhookDeliveryListParams)
      .addSuccess(WebhookDeliveryPage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "List what was delivered to an endpoint")
      .annotate(OpenApi.Description, "Deliveries with their attempts, newest first, kept 30 days.")
  )
  .add(
    HttpApiEndpoint.get("stats", "/webhook-endpoints/:id/stats")
      .setPath(id)
      .addSuccess(WebhookStats)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "Count what was delivered to an endpoint")
      .annotate(OpenApi.Description, "Counts since the endpoint was made; tests are not among them.")
  )
  .add(
    HttpApiEndpoint.post("test", "/webhook-endpoints/:id/test")
      .setPath(id)
      .setPayload(TestWebhook)
      .addSuccess(WebhookDelivery)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Test a webhook endpoint")
      .annotate(
        OpenApi.Description,
        "Posts an example of the event once, now, signed like any other, and answers how the endpoint took it (within 15 seconds). It changes nothing of the endpoint's health."
      )
  )
  .add(
    HttpApiEndpoint.post("retry", "/webhook-endpoints/:id/deliveries/:deliveryId/retry")
      .setPath(Schema.Struct({ id: WebhookEndpointId, deliveryId: WebhookDeliveryId }))
      .addSuccess(WebhookDelivery)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Retry a delivery")
      .annotate(
        OpenApi.Description,
        "One attempt as soon as possible, however the delivery ended before. The endpoint must be active, and tests are not repeated (409)."
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
      .annotate(Permission, "webhooks.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Recover an endpoint")
      .annotate(
        OpenApi.Description,
        "An extension. Delivers again, with the whole schedule of retries, everything that failed since then (at most 30 days), and the events that the endpoint missed while it was disabled."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, webhookExamples)
  .annotate(OpenApi.Title, "Webhook endpoints") {}
