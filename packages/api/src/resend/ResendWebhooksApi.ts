import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { Schema } from "effect"
import { Audit, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { ResendList, ResendListParams, referenceOf, removedOf } from "./ResendShapes.js"
import { ListedWebhook, ResendNewWebhook, ResendWebhook, ResendWebhookChange } from "./ResendWebhook.js"

const id = Schema.Struct({ id: WebhookEndpointId })

const reference = referenceOf("webhook", WebhookEndpointId)

/** A webhook with its new secret. */
export const SignedWebhook = Schema.Struct({
  ...reference.fields,
  signing_secret: Schema.String.annotations({ description: "the secret, in this response only" })
}).annotations({ identifier: "SignedWebhook" })

/** Webhooks. Their events have the form of this service. */
export class ResendWebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("create", "/webhooks")
      .annotate(Audit, { values: "resource", path: "/v1/webhook-endpoints/:id" })
      .setPayload(ResendNewWebhook)
      .addSuccess(SignedWebhook, { status: 201 })
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Create a webhook")
      .annotate(
        OpenApi.Description,
        "Subscribes a URL to the events of emails, domains and blocks that correspond to those of Resend."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/webhooks")
      .setUrlParams(ResendListParams)
      .addSuccess(ResendList(ListedWebhook).annotations({ identifier: "ListWebhooksResponse" }))
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "List webhooks")
      .annotate(OpenApi.Description, "Webhook endpoints of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.get("get", "/webhooks/:id")
      .setPath(id)
      .addSuccess(ResendWebhook)
      .annotate(Permission, "webhooks.read")
      .annotate(OpenApi.Summary, "Retrieve a webhook")
      .annotate(OpenApi.Description, "Returns the webhook without its secret.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/webhooks/:id")
      .annotate(Audit, { values: "resource", path: "/v1/webhook-endpoints/:id" })
      .setPath(id)
      .setPayload(ResendWebhookChange)
      .addSuccess(reference.annotations({ identifier: "UpdateWebhookResponse" }))
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Update a webhook")
      .annotate(OpenApi.Description, "Changes the given fields. A disabled webhook keeps its pending deliveries.")
  )
  .add(
    HttpApiEndpoint.post("rotate", "/webhooks/:id/signing-secret/rotate")
      .annotate(Audit, { values: "resource", path: "/v1/webhook-endpoints/:id" })
      .setPath(id)
      .addSuccess(SignedWebhook)
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Rotate the signing secret")
      .annotate(OpenApi.Description, "The replaced secret also signs for 24 hours.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/webhooks/:id")
      .annotate(Audit, { values: "resource", path: "/v1/webhook-endpoints/:id" })
      .setPath(id)
      .addSuccess(removedOf("webhook", WebhookEndpointId).annotations({ identifier: "DeleteWebhookResponse" }))
      .annotate(Permission, "webhooks.write")
      .annotate(OpenApi.Summary, "Delete a webhook")
      .annotate(OpenApi.Description, "Deletes the webhook and its deliveries.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Webhooks") {}
