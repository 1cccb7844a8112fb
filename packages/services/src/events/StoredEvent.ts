import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { DateTime } from "effect"

/** An event as the outbox keeps it. */
export interface StoredEvent {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly type: EventType
  readonly subjectId: string
  /** What it tells; of a message only the step of its history, since the rest is in the message. */
  readonly data: unknown
  readonly at: DateTime.Utc
}
