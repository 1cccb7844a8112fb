import { Schema } from "effect"
import { choice } from "../Choice.js"
import { Uuid } from "../Uuid.js"

export const EventId = Uuid.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** Every name that an event can have, by what it is about. */
export const eventTypes = [
  "message.created",
  "message.pending",
  "message.scheduled",
  "message.queued",
  "message.processing",
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed",
  "message.bounced",
  "message.complained",
  "message.received",
  "message.deleted",
  "email_domain.created",
  "email_domain.verified",
  "email_domain.degraded",
  "email_domain.failed",
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

/** What happened. */
export const EventType = choice(...eventTypes).annotations({ identifier: "EventType" })
export type EventType = typeof EventType.Type

/** Events that begin alike, as subscribers name them: `message.*`. */
type GroupOf<Type extends string> = Type extends `${infer Group}.${string}` ? `${Group}.*` : never

/** What an endpoint may subscribe to. */
export type Subscription = EventType | GroupOf<EventType> | "*"

const subscriptions: ReadonlySet<string> = new Set([
  "*",
  ...eventTypes,
  ...eventTypes.map((type) => type.replace(/\..*/, ".*"))
])

const isSubscription = (name: string): name is Subscription => subscriptions.has(name)

/** What an endpoint may subscribe to: an event, all of a group (`message.*`), or all (`*`). */
export const Subscription = Schema.String.pipe(
  Schema.filter(isSubscription, { message: () => "is not an event's name: see the webhooks of the API description" })
).annotations({
  identifier: "Subscription",
  description: "an event's name, a group like message.*, or *",
  jsonSchema: { type: "string", enum: [...subscriptions] }
})
