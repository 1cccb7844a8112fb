import { type EventData, eventData } from "@switchboard/domain/events/EventCatalog"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type DateTime, Effect, Schema } from "effect"
import { newId } from "../NewId.js"

/** An event to be stored in the transaction of its change. */
export interface NewEvent {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly type: EventType
  /** The id of the resource: a key, a webhook endpoint, a domain… */
  readonly subjectId: string
  /** The encoded data of the event, as subscribers receive it. */
  readonly data: unknown
  readonly at: DateTime.Utc
}

const schemas: Record<EventType, Schema.Schema.AnyNoContext> = eventData

/** Makes the event of a change to a resource, with its state after the change. The ids of one process are ascending. */
export const newEvent = <Type extends EventType>(
  type: Type,
  organizationId: OrganizationId,
  subjectId: string,
  data: EventData<Type>
): Effect.Effect<NewEvent> =>
  Effect.map(newId(EventId), ({ id, now }) => ({
    id,
    organizationId,
    type,
    subjectId,
    data: Schema.encodeUnknownSync(schemas[type])(data),
    at: now
  }))
