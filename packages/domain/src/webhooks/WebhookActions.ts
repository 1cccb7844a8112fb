import { Schema } from "effect"
import { EventType } from "../events/EventType.js"
import { IsoDateTime } from "../IsoDateTime.js"
import { MessageId } from "../messages/Message.js"
import { SearchText } from "../Search.js"
import { WebhookDeliveryStatus, WebhookStatus } from "./WebhookEndpoint.js"

/** Filters of a list of endpoints; `search` matches name, description and URL. */
export const WebhookEndpointFilters = Schema.Struct({
  status: Schema.optional(WebhookStatus),
  search: Schema.optional(SearchText)
})

/** Filters of a list of deliveries; `messageId` is the message that their events are about. */
export const WebhookDeliveryFilters = Schema.Struct({
  status: Schema.optional(WebhookDeliveryStatus),
  event: Schema.optional(EventType),
  messageId: Schema.optional(MessageId)
})

/** The response with the new secret: no later response contains it. */
export const RegeneratedSecret = Schema.Struct({
  newSecret: Schema.String.annotations({ description: "`whsec_` and 32 random bytes in base64" })
}).annotations({ identifier: "RegeneratedSecret" })

/** The type of the example event to send. Default: `webhook_endpoint.test`. */
export const TestWebhook = Schema.Struct({ event: Schema.optional(EventType) }).annotations({
  identifier: "TestWebhook"
})
export type TestWebhook = typeof TestWebhook.Type

/** How many days deliveries are stored and can be recovered. */
export const recoverableDays = 30

/** The time from which failed deliveries are repeated. */
export const RecoverWebhook = Schema.Struct({
  since: IsoDateTime.annotations({ description: `an ISO 8601 date-time, at most ${recoverableDays} days back` })
}).annotations({ identifier: "RecoverWebhook" })

/** The number of deliveries that were queued again. */
export const RecoveredWebhook = Schema.Struct({ requeued: Schema.Number }).annotations({
  identifier: "RecoveredWebhook"
})
