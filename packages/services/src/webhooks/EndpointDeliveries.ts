import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { recoverableDays } from "@switchboard/domain/webhooks/WebhookActions"
import type { WebhookDeliveryId, WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { DateTime, Effect, Option } from "effect"
import { type RetryResult, type WebhookDeliveryFilter, WebhookEndpointRepo } from "./WebhookEndpointRepo.js"
import { noEndpoint } from "./WebhookEndpoints.js"

const notActive = new ConflictError({
  message: "The endpoint is not active: make it active first",
  resource: "webhookEndpoint"
})

/** Why a delivery can't be made ready. */
const conflicts: Readonly<Record<Exclude<RetryResult, "ready" | "missing">, ConflictError>> = {
  inactive: notActive,
  held: new ConflictError({ message: "The delivery is attempted just now", resource: "webhookDelivery" }),
  test: new ConflictError({ message: "A test is not repeated: make a new test", resource: "webhookDelivery" })
}

/** What became of telling an endpoint, and how it is told again. */
export class EndpointDeliveries extends Effect.Service<EndpointDeliveries>()("services/EndpointDeliveries", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookEndpointRepo

    const endpointExists = Effect.fnUntraced(function* (organization: OrganizationId, id: WebhookEndpointId) {
      if (Option.isNone(yield* repo.find(organization, id))) return yield* noEndpoint(id)
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

    const stats = Effect.fn("EndpointDeliveries.stats")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) {
      const found = yield* repo.stats(organization, id)
      return yield* Effect.mapError(found, () => noEndpoint(id))
    })

    /** One attempt of a delivery now, however it ended before. */
    const retry = Effect.fn("EndpointDeliveries.retry")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId,
      delivery: WebhookDeliveryId
    ) {
      const result = yield* repo.retry(organization, id, delivery)
      if (result !== "ready" && result !== "missing") return yield* conflicts[result]
      const found = yield* repo.findDelivery(organization, id, delivery)
      if (Option.isSome(found)) return found.value
      yield* endpointExists(organization, id)
      return yield* new ResourceNotFoundError({ resource: "webhookDelivery", id: delivery })
    })

    /** Everything that failed since then, and what the endpoint missed while it was disabled, from the beginning. */
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

    return { logs, stats, retry, recover } as const
  })
}) {}
