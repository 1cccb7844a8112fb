import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { recoverableDays } from "@switchboard/domain/webhooks/WebhookActions"
import type { WebhookDeliveryId, WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { DateTime, Effect, Option } from "effect"
import { type RetryResult, type WebhookDeliveryFilter, WebhookEndpointRepo } from "./WebhookEndpointRepo.js"
import { endpointNotFound } from "./WebhookEndpoints.js"

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
