import { Schema } from "effect"
import { EventType } from "../events/EventType.js"
import { IsoDateTime } from "../IsoDateTime.js"
import { WebhookDeliveryStatus, WebhookStatus } from "./WebhookEndpoint.js"

/** What a list of endpoints may be narrowed to; `search` looks into name, description and URL. */
export const WebhookEndpointFilters = Schema.Struct({
  status: Schema.optional(WebhookStatus),
  search: Schema.optional(Schema.String)
})

/** What a list of deliveries may be narrowed to. */
export const WebhookDeliveryFilters = Schema.Struct({
  status: Schema.optional(WebhookDeliveryStatus),
  event: Schema.optional(EventType)
})

/** The only answer that shows a new secret. */
export const RegeneratedSecret = Schema.Struct({
  newSecret: Schema.String.annotations({ description: "`whsec_` and 32 random bytes in base64" })
}).annotations({ identifier: "RegeneratedSecret" })

/** Which event's example is sent: `webhook_endpoint.test` unless told otherwise. */
export const TestWebhook = Schema.Struct({ event: Schema.optional(EventType) }).annotations({
  identifier: "TestWebhook"
})
export type TestWebhook = typeof TestWebhook.Type

/** How many days back deliveries are kept, and can be recovered. */
export const recoverableDays = 30

/** From when on everything that failed is delivered again. */
export const RecoverWebhook = Schema.Struct({
  since: IsoDateTime.annotations({ description: `an ISO 8601 date-time, at most ${recoverableDays} days back` })
}).annotations({ identifier: "RecoverWebhook" })

/** How many deliveries are ready again. */
export const RecoveredWebhook = Schema.Struct({ requeued: Schema.Number }).annotations({
  identifier: "RecoveredWebhook"
})
