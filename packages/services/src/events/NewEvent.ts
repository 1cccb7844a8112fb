import { type EventData, eventData } from "@switchboard/domain/events/EventCatalog"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type DateTime, Effect, Schema } from "effect"
import { newId } from "../NewId.js"

/** An event to be written in the transaction of what it tells. */
export interface NewEvent {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly type: EventType
  /** What it is about: the key, the endpoint, the domain… */
  readonly subjectId: string
  /** As it goes to subscribers, encoded. */
  readonly data: unknown
  readonly at: DateTime.Utc
}

const schemas: Record<EventType, Schema.Schema.AnyNoContext> = eventData

/** Makes the event that something happened to a resource, as it is by then. Ids of one process rise. */
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
