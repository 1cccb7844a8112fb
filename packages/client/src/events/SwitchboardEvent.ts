import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { Option, Schema } from "effect"
import type { KnownEvent } from "../ApiTypes.js"

/** The schema of the events that this version of the client defines. */
export const KnownEventSchema = Schema.Union(
  eventEnvelope("message.created"),
  eventEnvelope("message.pending"),
  eventEnvelope("message.scheduled"),
  eventEnvelope("message.queued"),
  eventEnvelope("message.processing"),
  eventEnvelope("message.sent"),
  eventEnvelope("message.delivered"),
  eventEnvelope("message.read"),
  eventEnvelope("message.clicked"),
  eventEnvelope("message.failed"),
  eventEnvelope("message.bounced"),
  eventEnvelope("message.complained"),
  eventEnvelope("message.received"),
  eventEnvelope("message.deleted"),
  eventEnvelope("email_domain.created"),
  eventEnvelope("email_domain.verified"),
  eventEnvelope("email_domain.degraded"),
  eventEnvelope("email_domain.failed"),
  eventEnvelope("email_domain.paused"),
  eventEnvelope("email_domain.resumed"),
  eventEnvelope("email_domain.deleted"),
  eventEnvelope("email_sender.created"),
  eventEnvelope("email_sender.verified"),
  eventEnvelope("email_sender.deleted"),
  eventEnvelope("email_block.created"),
  eventEnvelope("email_block.deleted"),
  eventEnvelope("conversation.created"),
  eventEnvelope("conversation.updated"),
  eventEnvelope("conversation.resolved"),
  eventEnvelope("conversation.reopened"),
  eventEnvelope("conversation.participant_added"),
  eventEnvelope("conversation.participant_removed"),
  eventEnvelope("api_key.created"),
  eventEnvelope("api_key.rotated"),
  eventEnvelope("api_key.deleted"),
  eventEnvelope("call.started"),
  eventEnvelope("call.answered"),
  eventEnvelope("call.ended"),
  eventEnvelope("call.failed"),
  eventEnvelope("recording.ready"),
  eventEnvelope("transcript.ready"),
  eventEnvelope("webhook_endpoint.test"),
  eventEnvelope("webhook_endpoint.disabled"),
  eventEnvelope("organization.updated"),
  eventEnvelope("organization.usage_exceeded")
)

/** An event of a newer service, or an event with data that was reduced because of its size. */
export interface UnknownEvent {
  readonly type: "unknown"
  readonly id: string
  /** The event type as the service sent it. */
  readonly name: string
  /** The decoded JSON of the event, with its data. */
  readonly envelope: unknown
}

export type SwitchboardEvent = KnownEvent | UnknownEvent

const decodeKnown: (envelope: unknown) => Option.Option<KnownEvent> = Schema.decodeUnknownOption(KnownEventSchema)
const decodeJson = Schema.decodeUnknownOption(Schema.parseJson())

/** Decodes the JSON of an event; an unknown type or unexpected data becomes an `UnknownEvent`. */
export const decodeEvent = (
  envelope: unknown,
  { id, type }: { readonly id: string; readonly type: string }
): SwitchboardEvent => Option.getOrElse(decodeKnown(envelope), () => ({ type: "unknown", id, name: type, envelope }))

/** A server-sent event. */
export interface ServerSentEvent {
  readonly id: string
  readonly type: string
  /** JSON. */
  readonly data: string
}

/** Decodes a server-sent event. */
export const readEvent = (event: ServerSentEvent): SwitchboardEvent =>
  decodeEvent(Option.getOrUndefined(decodeJson(event.data)), event)
