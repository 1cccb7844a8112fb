import type { Effect } from "effect"
import { type NewEvent, newEvent } from "../events/NewEvent.js"
import { describeEndpoint } from "./DescribeEndpoint.js"
import type { WebhookEndpointWithHealth } from "./WebhookEndpointRepo.js"

/** The event of a disabled endpoint, for the organization's other endpoints. */
export const endpointDisabled = ({ endpoint, health }: WebhookEndpointWithHealth): Effect.Effect<NewEvent> =>
  newEvent("webhook_endpoint.disabled", endpoint.organizationId, endpoint.id, describeEndpoint(endpoint, health))
