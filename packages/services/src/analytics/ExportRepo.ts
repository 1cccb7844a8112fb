import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EventId } from "@switchboard/domain/events/EventType"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"
import type { StoredEvent } from "../events/StoredEvent.js"

/** A part of what an organization has, in the order of ids. */
export interface ExportPart<Id> {
  readonly range: DateRange
  /** What comes after this one; from the beginning without it. */
  readonly after: Id | null
  /** So many, fewer only at the end. */
  readonly limit: number
}

/** An event with the message that it needs: null if it needs none, or if that was deleted. */
export interface FoundEvent {
  readonly event: StoredEvent
  readonly message: Message | null
}

/** Everything that an organization has, piece by piece: each piece is read by itself, and holds nothing up. */
export class ExportRepo extends Context.Tag("services/ExportRepo")<
  ExportRepo,
  {
    /** Messages that were accepted in the range, oldest first. Bodies stay where they are: `html` and `text` are empty. */
    readonly messages: (
      organization: OrganizationId,
      part: ExportPart<MessageId>
    ) => Effect.Effect<ReadonlyArray<Message>, ServiceUnavailableError>
    /** Events of the range, oldest first, each with its message as above. */
    readonly events: (
      organization: OrganizationId,
      part: ExportPart<EventId>
    ) => Effect.Effect<ReadonlyArray<FoundEvent>, ServiceUnavailableError>
  }
>() {}
