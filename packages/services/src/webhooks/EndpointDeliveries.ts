import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { withinEventSize } from "@switchboard/domain/events/EventSize"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import {
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookEndpoint,
  type WebhookEndpointId
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import { webhookResult } from "@switchboard/domain/webhooks/WebhookOutcome"
import { recoverableDays, type TestWebhook } from "@switchboard/domain/webhooks/WebhookRequests"
import { DateTime, Effect, Option, Schema } from "effect"
import { newId } from "../NewId.js"
import { SecretBox } from "../SecretBox.js"
import { describeEndpoint } from "./DescribeEndpoint.js"
import { postSigned } from "./delivery/LoggedExchange.js"
import { WebhookTransport } from "./delivery/WebhookTransport.js"
import {
  type RetryResult,
  type WebhookDeliveryFilter,
  WebhookEndpointRepo,
  type WebhookEndpointWithHealth
} from "./WebhookEndpointRepo.js"
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

const notActive = new ConflictError({
  message: "The endpoint is not active: make it active first",
  resource: "webhookEndpoint"
})

/** The error for each reason why a delivery can't be retried. */
const conflicts: Readonly<Record<Exclude<RetryResult, "ready" | "missing">, ConflictError>> = {
  inactive: notActive,
  held: new ConflictError({ message: "The delivery is being attempted", resource: "webhookDelivery" }),
  test: new ConflictError({ message: "A test can't be retried: send a new test", resource: "webhookDelivery" })
}

/** The deliveries of endpoints, and their repetition. */
export class EndpointDeliveries extends Effect.Service<EndpointDeliveries>()("services/EndpointDeliveries", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookEndpointRepo

    const endpointExists = Effect.fnUntraced(function* (organization: OrganizationId, id: WebhookEndpointId) {
      if (Option.isNone(yield* repo.find(organization, id))) return yield* endpointNotFound(id)
    })

    const logs = Effect.fn("EndpointDeliveries.logs")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId,
      filter: WebhookDeliveryFilter,
      request: PageRequest
    ) {
      yield* endpointExists(organization, id)
      return yield* repo.deliveries(organization, id, filter, request)
    })

    const get = Effect.fn("EndpointDeliveries.get")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId,
      delivery: WebhookDeliveryId
    ) {
      const found = yield* repo.findDelivery(organization, id, delivery)
      if (Option.isSome(found)) return found.value
      yield* endpointExists(organization, id)
      return yield* new ResourceNotFoundError({ resource: "webhookDelivery", id: delivery })
    })

    const stats = Effect.fn("EndpointDeliveries.stats")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) {
      const found = yield* repo.stats(organization, id)
      return yield* Effect.mapError(found, () => endpointNotFound(id))
    })

    /** Makes one attempt of a delivery now, regardless of its status. */
    const retry = Effect.fn("EndpointDeliveries.retry")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId,
      delivery: WebhookDeliveryId
    ) {
      const result = yield* repo.retry(organization, id, delivery)
      if (result !== "ready" && result !== "missing") return yield* conflicts[result]
      return yield* get(organization, id, delivery)
    })

    /**
     * Repeats the deliveries since `since` that failed, and delivers the events that the endpoint missed while it was
     * disabled.
     */
    const recover = Effect.fn("EndpointDeliveries.recover")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId,
      since: DateTime.Utc
    ) {
      const now = yield* DateTime.now
      const earliest = DateTime.subtract(now, { days: recoverableDays })
      if (DateTime.lessThan(since, earliest) || DateTime.greaterThan(since, now)) {
        return yield* new ValidationError({
          message: "The request body is invalid",
          fields: { since: [`must be in the last ${recoverableDays} days`] }
        })
      }
      yield* endpointExists(organization, id)
      const requeued = yield* repo.recover(organization, id, since)
      return Option.isSome(requeued) ? { requeued: requeued.value } : yield* notActive
    })

    return { logs, get, stats, retry, recover } as const
  })
}) {}
