import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { EventId } from "@switchboard/domain/events/EventType"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"
import type { StoredEvent } from "../events/StoredEvent.js"

/** A page of what an organization has, in the order of ids. */
export interface ExportPage<Id> {
  /** What comes after this one; from the beginning without it. */
  readonly after: Id | null
  /** So many, fewer only at the end. */
  readonly limit: number
}

/** A page of what an organization has of a range. */
export interface ExportPart<Id> extends ExportPage<Id> {
  readonly range: DateRange
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
    /** Blocks in force by the database's clock, oldest first. */
    readonly blocks: (
      organization: OrganizationId,
      page: ExportPage<BlockId>
    ) => Effect.Effect<ReadonlyArray<Block>, ServiceUnavailableError>
  }
>() {}
