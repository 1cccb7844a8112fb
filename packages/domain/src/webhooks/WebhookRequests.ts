import { Schema } from "effect"
import { choice } from "../Choice.js"
import { Subscription } from "../events/EventType.js"
import { Channel } from "../messages/Message.js"
import { WebhookEndpointId } from "./WebhookEndpoint.js"

const text = (max: number) =>
  Schema.String.pipe(
    Schema.filter((value) => (value.length >= 1 && value.length <= max) || `must have 1 to ${max} characters`)
  )

/** An absolute http or https URL. The HTTP client checks where it resolves to. */
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

/** Conditions on the messages of an endpoint's events; all must match. Events of other resources are not filtered. */
export const WebhookFilters = Schema.Struct({
  channels: Schema.optional(Schema.Array(Channel)),
  tags: Schema.optional(Schema.Array(Schema.String)),
  isTest: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "WebhookFilters" })
export type WebhookFilters = typeof WebhookFilters.Type

/** The rate limit of an endpoint. */
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

/** Headers that the service sets, or that control the connection. */
const reserved =
  /^(?:webhook-.*|host|content-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent|expect)$/i

/** Additional headers of every request to the endpoint (RFC 9110 section 5). */
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

/** The statuses that a caller can set: only the service sets `disabled`. */
const Activity = choice("active", "paused")

/** A new endpoint. */
export const CreateWebhookEndpoint = Schema.Struct({
  name: text(200),
  url: WebhookUrl,
  events: Subscriptions,
  status: Schema.optional(Activity),
  ...settings
}).annotations({ identifier: "CreateWebhookEndpoint" })
export type CreateWebhookEndpoint = typeof CreateWebhookEndpoint.Type

/** The fields to change; omitted fields stay. */
export const UpdateWebhookEndpoint = Schema.Struct({
  name: Schema.optional(text(200)),
  url: Schema.optional(WebhookUrl),
  events: Schema.optional(Subscriptions),
  status: Schema.optional(Activity),
  ...settings
}).annotations({ identifier: "UpdateWebhookEndpoint" })
export type UpdateWebhookEndpoint = typeof UpdateWebhookEndpoint.Type

/** `webhookId` may repeat the id of the path and must be equal to it. */
export const RegenerateSecret = Schema.Struct({ webhookId: Schema.optional(WebhookEndpointId) }).annotations({
  identifier: "RegenerateSecret"
})
