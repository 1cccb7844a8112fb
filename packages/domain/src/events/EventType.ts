import { Schema } from "effect"
import { choice, narrowedTo } from "../Fields.js"
import { Uuid } from "../Uuid.js"

export const EventId = Uuid.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** All event types, grouped by resource. */
export const eventTypes = [
  "message.created",
  "message.pending",
  "message.scheduled",
  "message.queued",
  "message.processing",
  "message.sent",
  "message.delivered",
  "message.read",
  "message.clicked",
  "message.failed",
  "message.bounced",
  "message.complained",
  "message.received",
  "message.deleted",
  "email_domain.created",
  "email_domain.verified",
  "email_domain.degraded",
  "email_domain.failed",
  "email_domain.paused",
  "email_domain.resumed",
  "email_domain.deleted",
  "email_sender.created",
  "email_sender.verified",
  "email_sender.deleted",
  "email_block.created",
  "email_block.deleted",
  "conversation.created",
  "conversation.updated",
  "conversation.resolved",
  "conversation.reopened",
  "conversation.participant_added",
  "conversation.participant_removed",
  "api_key.created",
  "api_key.rotated",
  "api_key.deleted",
  "call.started",
  "call.answered",
  "call.ended",
  "call.failed",
  "recording.ready",
  "transcript.ready",
  "webhook_endpoint.test",
  "webhook_endpoint.disabled",
  "organization.updated",
  "organization.usage_exceeded"
] as const

export const EventType = choice(...eventTypes).annotations({ identifier: "EventType" })
export type EventType = typeof EventType.Type

/** A subscription to all events of a resource: `message.*`. */
type GroupOf<Type extends string> = Type extends `${infer Group}.${string}` ? `${Group}.*` : never

export type Subscription = EventType | GroupOf<EventType> | "*"

const subscriptions: ReadonlySet<string> = new Set([
  "*",
  ...eventTypes,
  ...eventTypes.map((type) => type.replace(/\..*/, ".*"))
])

/** Whether a subscription has this name. */
export const isSubscription = (name: string): name is Subscription => subscriptions.has(name)

/** A subscription of an endpoint: an event type, a group (`message.*`), or all events (`*`). */
export const Subscription = Schema.String.pipe(
  Schema.filter(isSubscription, { message: () => "is not an event type: see the webhooks of the API description" })
).annotations({
  identifier: "Subscription",
  description: "an event's name, a group like message.*, or *",
  jsonSchema: { type: "string", enum: [...subscriptions] },
  ...narrowedTo(Schema.Literal(...subscriptions))
})
