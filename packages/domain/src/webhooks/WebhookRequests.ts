import { Schema } from "effect"
import { choice } from "../Choice.js"
import { Subscription } from "../events/EventType.js"
import { Channel } from "../messages/Message.js"
import { WebhookEndpointId } from "./WebhookEndpoint.js"

const text = (most: number) =>
  Schema.String.pipe(
    Schema.filter((value) => (value.length >= 1 && value.length <= most) || `must have 1 to ${most} characters`)
  )

/** An absolute http or https URL. Where it may lead is the dialler's to say. */
export const WebhookUrl = Schema.String.pipe(
  Schema.filter((value) => value.length <= 2_048 || "must have at most 2048 characters"),
  Schema.filter((value) => {
    const url = URL.canParse(value) ? new URL(value) : null
    if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return "must be an http or https URL"
    return (url.username === "" && url.password === "") || "must not contain a user name or password"
  })
).annotations({ jsonSchema: { type: "string", format: "uri", maxLength: 2_048 } })

const Subscriptions = Schema.Array(Subscription).pipe(
  Schema.filter((names) => (names.length >= 1 && names.length <= 100) || "must have 1 to 100 event names")
)

/** Which messages' events an endpoint hears of; all of the given must hold. Events about anything else pass. */
export const WebhookFilters = Schema.Struct({
  channels: Schema.optional(Schema.Array(Channel)),
  tags: Schema.optional(Schema.Array(Schema.String)),
  isTest: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "WebhookFilters" })
export type WebhookFilters = typeof WebhookFilters.Type

/** How fast an endpoint may be called. */
export const WebhookRateLimit = Schema.Struct({
  maxPerSecond: Schema.optional(
    Schema.Number.pipe(
      Schema.filter(
        (rate) => (Number.isInteger(rate) && rate >= 1 && rate <= 10_000) || "must be a whole number from 1 to 10000"
      )
    )
  )
}).annotations({ identifier: "WebhookRateLimit" })
export type WebhookRateLimit = typeof WebhookRateLimit.Type

/** Names that the request itself needs, or that say how it is carried. */
const reserved =
  /^(?:webhook-.*|host|content-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent|expect)$/i

/** Headers that every request to the endpoint gets besides ours (RFC 9110 section 5). */
export const WebhookHeaders = Schema.Record({ key: Schema.String, value: Schema.String }).pipe(
  Schema.filter((headers) => Object.keys(headers).length <= 20 || "must have at most 20 headers"),
  Schema.filter((headers) =>
    Object.entries(headers).flatMap(([name, value]) => {
      if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(name)) return [{ path: [name], message: "is not a header name" }]
      if (reserved.test(name)) return [{ path: [name], message: "is set by the service itself" }]
      return /^[\t\x20-\x7e]{0,1000}$/.test(value)
        ? []
        : [{ path: [name], message: "must be at most 1000 visible ASCII characters" }]
    })
  )
)

/** A 32-bit signed integer. */
const Priority = Schema.Number.pipe(
  Schema.filter((value) => (Number.isInteger(value) && Math.abs(value) <= 2_147_483_647) || "must be a 32-bit integer")
).annotations({ jsonSchema: { type: "integer", format: "int32" } })

const settings = {
  description: Schema.optional(text(1_000)),
  testMode: Schema.optional(Schema.Boolean),
  priority: Schema.optional(Priority),
  filters: Schema.optional(WebhookFilters),
  rateLimit: Schema.optional(WebhookRateLimit),
  headers: Schema.optional(WebhookHeaders)
}

/** What callers may make of an endpoint: only the service disables it. */
const Activity = choice("active", "paused")

/** A new subscription. */
export const CreateWebhookEndpoint = Schema.Struct({
  name: text(200),
  url: WebhookUrl,
  events: Subscriptions,
  status: Schema.optional(Activity),
  ...settings
}).annotations({ identifier: "CreateWebhookEndpoint" })
export type CreateWebhookEndpoint = typeof CreateWebhookEndpoint.Type

/** What changes; the rest stays. */
export const UpdateWebhookEndpoint = Schema.Struct({
  name: Schema.optional(text(200)),
  url: Schema.optional(WebhookUrl),
  events: Schema.optional(Subscriptions),
  status: Schema.optional(Activity),
  ...settings
}).annotations({ identifier: "UpdateWebhookEndpoint" })
export type UpdateWebhookEndpoint = typeof UpdateWebhookEndpoint.Type

/** The path's own id may be repeated; it must agree. */
export const RegenerateSecret = Schema.Struct({ webhookId: Schema.optional(WebhookEndpointId) }).annotations({
  identifier: "RegenerateSecret"
})
