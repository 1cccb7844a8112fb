import { Schema } from "effect"
import { EventType, Subscription } from "../events/EventType.js"
import { choice, clearable, items, wholeNumber } from "../Fields.js"
import { HttpUrl } from "../HttpUrl.js"
import { Channel, MessageId } from "../messages/Message.js"
import { SearchText } from "../Search.js"
import { matching, text } from "../Text.js"
import { IsoDateTime } from "../Timestamp.js"
import { WebhookDeliveryStatus, WebhookEndpointId, WebhookStatus } from "./WebhookEndpoint.js"

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

const Subscriptions = Schema.Array(Subscription).pipe(items(1, 100))

/** The resource to whose events the filters and the test mode of an endpoint apply. */
export const filteredResource = "message"

/** Conditions on the messages of an endpoint's events; all must match. Events of other resources are not filtered. */
export const WebhookFilters = Schema.Struct({
  channels: Schema.optional(Schema.Array(Channel)),
  tags: Schema.optional(Schema.Array(Schema.String)),
  isTest: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "WebhookFilters" })
export type WebhookFilters = typeof WebhookFilters.Type

/** The rate limit of an endpoint. */
export const WebhookRateLimit = Schema.Struct({
  maxPerSecond: Schema.optional(wholeNumber(1, 10_000))
}).annotations({ identifier: "WebhookRateLimit" })
export type WebhookRateLimit = typeof WebhookRateLimit.Type

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

/** Headers that the service sets, or that control the connection. */
const reserved =
  /^(?:webhook-.*|host|content-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent|expect)$/i

/** Additional headers of every request to the endpoint (RFC 9110 section 5). */
export const WebhookHeaders = Schema.Record({
  key: Schema.String,
  value: Schema.String.pipe(matching(/^[\t\x20-\x7e]{0,1000}$/, "must be at most 1000 visible ASCII characters"))
}).pipe(
  Schema.filter((headers) => Object.keys(headers).length <= 20 || "must have at most 20 headers", {
    jsonSchema: { maxProperties: 20 }
  }),
  Schema.filter(
    (headers) =>
      Object.keys(headers).flatMap((name) => {
        if (!headerName.test(name)) return [{ path: [name], message: "is not a header name" }]
        return reserved.test(name) ? [{ path: [name], message: "is set by the service itself" }] : []
      }),
    { jsonSchema: { propertyNames: { pattern: headerName.source } } }
  )
)

/** A 32-bit signed integer. */
const Priority = wholeNumber(-(2 ** 31), 2 ** 31 - 1)

const Description = text(1, 1_000)

/** The statuses that a caller can set: only the service sets `disabled`. */
const Activity = choice("active", "paused")

/** A new endpoint. */
export const CreateWebhookEndpoint = Schema.Struct({
  name: text(1, 200),
  url: HttpUrl,
  events: Subscriptions,
  status: Schema.optional(Activity),
  description: Schema.optional(Description),
  testMode: Schema.optional(Schema.Boolean),
  priority: Schema.optional(Priority),
  filters: Schema.optional(WebhookFilters),
  rateLimit: Schema.optional(WebhookRateLimit),
  headers: Schema.optional(WebhookHeaders)
}).annotations({ identifier: "CreateWebhookEndpoint" })
export type CreateWebhookEndpoint = typeof CreateWebhookEndpoint.Type

/** The fields to change; omitted fields stay. Null resets a field that a creation may omit. */
export const UpdateWebhookEndpoint = Schema.Struct({
  name: Schema.optional(text(1, 200)),
  url: Schema.optional(HttpUrl),
  events: Schema.optional(Subscriptions),
  status: Schema.optional(Activity),
  description: clearable(Description),
  testMode: clearable(Schema.Boolean),
  priority: clearable(Priority),
  filters: clearable(WebhookFilters),
  rateLimit: clearable(WebhookRateLimit),
  headers: clearable(WebhookHeaders)
}).annotations({ identifier: "UpdateWebhookEndpoint" })
export type UpdateWebhookEndpoint = typeof UpdateWebhookEndpoint.Type

/** `webhookId` may repeat the id of the path and must be equal to it. */
export const RegenerateSecret = Schema.Struct({ webhookId: Schema.optional(WebhookEndpointId) }).annotations({
  identifier: "RegenerateSecret"
})
