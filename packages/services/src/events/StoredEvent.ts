import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { DateTime } from "effect"

/** A stored event in the outbox. */
export interface StoredEvent {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly type: EventType
  readonly subjectId: string
  /**
   * The data of the event. An event of a message stores only the change of its status; the rest is read from the
   * message.
   */
  readonly data: unknown
  readonly at: DateTime.Utc
}
