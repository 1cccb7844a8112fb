import { type EventType, eventTypes } from "@switchboard/domain/events/EventType"
import { type WebhookEndpoint, WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { CreateWebhookEndpoint, UpdateWebhookEndpoint } from "@switchboard/domain/webhooks/WebhookRequests"
import { DateTime, Schema } from "effect"
import { decodeBody } from "../http/body/DecodeBody.js"
import { renameBy, renameFields } from "./ResendShapes.js"

/** The event types of this service for each event of Resend that it has. */
const typesOf = {
  "email.sent": ["message.sent"],
  "email.scheduled": ["message.scheduled"],
  "email.delivered": ["message.delivered"],
  "email.delivery_delayed": ["message.queued"],
  "email.complained": ["message.complained"],
  "email.bounced": ["message.bounced"],
  "email.opened": ["message.read"],
  "email.clicked": ["message.clicked"],
  "email.received": ["message.received"],
  "email.failed": ["message.failed"],
  "email.suppressed": ["message.failed"],
  "domain.created": ["email_domain.created"],
  "domain.updated": ["email_domain.verified", "email_domain.degraded", "email_domain.failed"],
  "domain.deleted": ["email_domain.deleted"],
  "suppression.added": ["email_block.created"],
  "suppression.removed": ["email_block.deleted"]
} as const satisfies Record<string, ReadonlyArray<EventType>>

type ResendEvent = keyof typeof typesOf

const isResendEvent = (name: string): name is ResendEvent => Object.hasOwn(typesOf, name)

/** The events of Resend that this service has. */
const resendEvents = Object.keys(typesOf).filter(isResendEvent)

const EventName = Schema.String.pipe(
  Schema.filter((name) => isResendEvent(name) || `must be an event that this service has: ${name} is not`)
).annotations({ jsonSchema: { type: "string", enum: resendEvents } })

const Status = Schema.Literal("enabled", "disabled")

const changes = { endpoint: Schema.String, events: Schema.Array(EventName) }

/** The body of POST /webhooks. */
export const ResendNewWebhook = Schema.Struct(changes).annotations({ identifier: "CreateWebhookRequest" })

/** The body of PATCH /webhooks/{id}. */
export const ResendWebhookChange = Schema.partial(Schema.Struct({ ...changes, status: Status })).annotations({
  identifier: "UpdateWebhookRequest"
})

/** Gives the fields of errors about a webhook their names in this API. */
export const withWebhookFields = renameFields(renameBy({ url: "endpoint" }))

const subscriptionsOf = (events: ReadonlyArray<string>) => [
  ...new Set(events.filter(isResendEvent).flatMap((name) => typesOf[name]))
]

/** The name of an endpoint: the host of its URL. */
const nameOf = (url: string) => /^https?:\/\/([^/?#@]{1,200})(?:[/?#]|$)/i.exec(url)?.[1] ?? "webhook"

const decodeNew = decodeBody(CreateWebhookEndpoint)
const decodeChange = decodeBody(UpdateWebhookEndpoint)

/** The body of POST /v1/webhook-endpoints that creates the same endpoint: it gets events of e-mails only. */
export const toNewEndpoint = ({ endpoint, events }: typeof ResendNewWebhook.Type) =>
  decodeNew({
    name: nameOf(endpoint),
    url: endpoint,
    events: subscriptionsOf(events),
    filters: { channels: ["email"] }
  })

/** The body of PATCH /v1/webhook-endpoints/{id} that makes the same change. */
export const toEndpointChange = ({ endpoint, events, status }: typeof ResendWebhookChange.Type) =>
  decodeChange({
    ...(endpoint === undefined ? {} : { url: endpoint }),
    ...(events === undefined ? {} : { events: subscriptionsOf(events) }),
    ...(status === undefined ? {} : { status: status === "enabled" ? "active" : "paused" })
  })

const ResendEventName = Schema.Literal(...resendEvents)

const listedFields = {
  id: WebhookEndpointId,
  endpoint: Schema.String,
  created_at: Schema.String,
  status: Status,
  events: Schema.mutable(Schema.Array(ResendEventName)).annotations({
    description: "the events of Resend whose events of this service it gets"
  })
}

/** A webhook in a list. */
export const ListedWebhook = Schema.Struct(listedFields).annotations({ identifier: "ListedWebhook" })

/** A webhook. */
export const ResendWebhook = Schema.Struct({
  object: Schema.Literal("webhook"),
  ...listedFields,
  signing_secret: Schema.Literal("").annotations({
    description: "empty: the response of the creation and of a rotation alone has the secret"
  })
}).annotations({ identifier: "Webhook" })

/** Whether a subscription includes an event type. */
const includes = (subscription: string, type: EventType) =>
  subscription === "*" || subscription === type || subscription === type.replace(/\..*/, ".*")

/** A webhook in a list. */
export const toListedWebhook = ({
  configuration,
  createdAt,
  id,
  status
}: WebhookEndpoint): typeof ListedWebhook.Type => {
  const { events, url } = configuration
  const types = new Set(eventTypes.filter((type) => events.some((one) => includes(one, type))))
  return {
    id,
    endpoint: url,
    created_at: DateTime.formatIso(createdAt),
    status: status === "active" ? "enabled" : "disabled",
    events: resendEvents.filter((name) => typesOf[name].every((type) => types.has(type)))
  }
}

/** A webhook. */
export const toResendWebhook = (endpoint: WebhookEndpoint): typeof ResendWebhook.Type => ({
  object: "webhook",
  ...toListedWebhook(endpoint),
  signing_secret: ""
})
