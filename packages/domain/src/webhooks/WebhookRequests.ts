import { Schema } from "effect"
import { choice } from "../Choice.js"
import { clearable } from "../Clearable.js"
import { Subscription } from "../events/EventType.js"
import { HttpUrl } from "../HttpUrl.js"
import { items } from "../Items.js"
import { Channel } from "../messages/Message.js"
import { matching, text } from "../Text.js"
import { wholeNumber } from "../WholeNumber.js"
import { WebhookEndpointId } from "./WebhookEndpoint.js"

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
