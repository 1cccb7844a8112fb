import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Block, BlockId } from "@switchboard/domain/email/blocks/Block"
import type { EventId } from "@switchboard/domain/events/EventType"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"
import type { StoredEvent } from "../events/StoredEvent.js"

/** A page of an organization's rows, in the order of ids. */
export interface ExportPage<Id> {
  /** The last id of the previous page; null for the first page. */
  readonly after: Id | null
  /** The page's size; a smaller page is the last. */
  readonly limit: number
}

/** A page of an organization's rows in a range. */
export interface ExportPart<Id> extends ExportPage<Id> {
  readonly range: DateRange
}

/** An event with the message that it describes: null if it describes none, or if the message was deleted. */
export interface FoundEvent {
  readonly event: StoredEvent
  readonly message: typeof Message.Encoded | null
}

/** Reads an organization's data page by page, each page in its own transaction. */
export class ExportRepo extends Context.Tag("services/ExportRepo")<
  ExportRepo,
  {
    /** Messages accepted in the range, oldest first. Bodies are not read: `html` and `text` are empty. */
    readonly messages: (
      organization: OrganizationId,
      part: ExportPart<MessageId>
    ) => Effect.Effect<ReadonlyArray<Message>, ServiceUnavailableError>
    /** Events of the range, oldest first, each with its message as in `messages`. */
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
