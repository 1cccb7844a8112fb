import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { withinEventSize } from "@switchboard/domain/events/EventSize"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { TestWebhook } from "@switchboard/domain/webhooks/WebhookActions"
import {
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookEndpoint,
  type WebhookEndpointId
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import { webhookResult } from "@switchboard/domain/webhooks/WebhookOutcome"
import { DateTime, Effect, Option, Schema } from "effect"
import { newId } from "../NewId.js"
import { SecretBox } from "../SecretBox.js"
import { describeEndpoint } from "./DescribeEndpoint.js"
import { postSigned } from "./delivery/LoggedExchange.js"
import { WebhookTransport } from "./delivery/WebhookTransport.js"
import { WebhookEndpointRepo, type WebhookEndpointWithHealth } from "./WebhookEndpointRepo.js"
import { endpointNotFound } from "./WebhookEndpoints.js"

const encodeEndpoint = Schema.encodeSync(WebhookEndpoint)

/** The data of a test event: the endpoint itself, or the example of another type with the organization's id. */
const testData = (event: EventType, { endpoint, health }: WebhookEndpointWithHealth): unknown => {
  if (event === "webhook_endpoint.test") return encodeEndpoint(describeEndpoint(endpoint, health))
  const example = eventExamples[event]
  return "organizationId" in example ? { ...example, organizationId: endpoint.organizationId } : example
}

/** Sends test events to endpoints. */
export class WebhookTests extends Effect.Service<WebhookTests>()("services/WebhookTests", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookEndpointRepo
    const transport = yield* WebhookTransport
    const box = yield* SecretBox

    /**
     * Makes one signed attempt now, regardless of the endpoint's status. It is stored among the deliveries, and changes
     * neither health nor schedule.
     */
    const test = Effect.fn("WebhookTests.test")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId,
      { event = "webhook_endpoint.test" }: TestWebhook
    ) {
      const found = yield* repo.find(organization, id)
      if (Option.isNone(found)) return yield* endpointNotFound(id)
      const secrets = yield* repo.secrets(organization, id)
      if (secrets.length === 0) return yield* endpointNotFound(id)

      const { id: eventId, now } = yield* newId(EventId)
      const { id: deliveryId } = yield* newId(WebhookDeliveryId)
      const body = JSON.stringify({
        id: eventId,
        type: event,
        timestamp: DateTime.formatIso(now),
        organizationId: organization,
        data: withinEventSize(testData(event, found.value))
      })
      const { headers, url } = found.value.endpoint
      const { exchange, response } = yield* postSigned(
        transport,
        box,
        { id, url, headers, secrets },
        { id: eventId, body }
      )
      const result = webhookResult(response._tag === "Responded" ? response.status : null)
      const delivery = new WebhookDelivery(
        {
          id: deliveryId,
          endpointId: id,
          eventId,
          eventType: event,
          status: result === "succeeded" ? "succeeded" : "failed",
          requestBody: body,
          attempts: [{ attempt: 1, trigger: "test", at: now, ...exchange }],
          createdAt: now
        },
        { disableValidation: true }
      )
      yield* repo.insertTest(organization, delivery)
      return delivery
    })

    return { test } as const
  })
}) {}
