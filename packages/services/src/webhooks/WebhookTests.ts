import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { withinEventSize } from "@switchboard/domain/events/EventSize"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { TestWebhook } from "@switchboard/domain/webhooks/WebhookActions"
import {
  type WebhookAttempt,
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
import { signedPost } from "./delivery/SignedPost.js"
import { WebhookAnswer, WebhookTransport } from "./delivery/WebhookTransport.js"
import { WebhookEndpointRepo, type WebhookEndpointWithHealth } from "./WebhookEndpointRepo.js"
import { noEndpoint } from "./WebhookEndpoints.js"

const encodeEndpoint = Schema.encodeSync(WebhookEndpoint)

/** A test of the endpoint tells of itself; any other event is told by its example, as if it were the organization's. */
const testData = (event: EventType, { endpoint, health }: WebhookEndpointWithHealth): unknown => {
  if (event === "webhook_endpoint.test") return encodeEndpoint(describeEndpoint(endpoint, health))
  const example = eventExamples[event]
  return "organizationId" in example ? { ...example, organizationId: endpoint.organizationId } : example
}

const toAttempt = (answer: WebhookAnswer, at: DateTime.Utc): WebhookAttempt => ({
  attempt: 1,
  trigger: "test",
  at,
  durationMs: answer.durationMs,
  ...(answer._tag === "Answered"
    ? { responseStatus: answer.status, responseBody: answer.body }
    : { error: answer.error })
})

/** Tries endpoints out. */
export class WebhookTests extends Effect.Service<WebhookTests>()("services/WebhookTests", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookEndpointRepo
    const transport = yield* WebhookTransport
    const box = yield* SecretBox

    /**
     * One real attempt now, whatever the endpoint's status, signed like any other. It is kept among the deliveries, and
     * changes neither health nor schedule.
     */
    const test = Effect.fn("WebhookTests.test")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId,
      { event = "webhook_endpoint.test" }: TestWebhook
    ) {
      const found = yield* repo.find(organization, id)
      if (Option.isNone(found)) return yield* noEndpoint(id)
      const secrets = yield* repo.secrets(organization, id)
      if (secrets.length === 0) return yield* noEndpoint(id)

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
      const answer = yield* signedPost(box, { id, url, headers, secrets }, { id: eventId, body }).pipe(
        Effect.flatMap(transport.post),
        Effect.catchTag("SecretUnreadable", ({ message }) =>
          Effect.succeed(WebhookAnswer.Unreachable({ error: message, durationMs: 0 }))
        )
      )
      const result = webhookResult(answer._tag === "Answered" ? answer.status : null)
      const delivery = new WebhookDelivery(
        {
          id: deliveryId,
          endpointId: id,
          eventId,
          eventType: event,
          status: result === "succeeded" ? "succeeded" : "failed",
          attempts: [toAttempt(answer, now)],
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
