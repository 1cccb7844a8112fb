import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Channel, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** The failed messages of an organization that were not sent again. */
export interface FailedFilter {
  readonly organizationId: OrganizationId
  readonly channel: Option.Option<Channel>
  /** The code of the error. Without it: all messages except `deliberateCodes`. */
  readonly code: Option.Option<string>
  /** Failed at this time or later. */
  readonly since: Option.Option<DateTime.Utc>
  /** Failed at this time or earlier. */
  readonly until: Option.Option<DateTime.Utc>
  /** Accepted before this time. */
  readonly acceptedBefore: DateTime.Utc
  /** Only messages with a higher id. */
  readonly after: Option.Option<MessageId>
}

/**
 * Codes of messages that are found by their code only: the sender cancelled them, a recipient may have them already, or
 * their attempts ended the worker.
 */
export const deliberateCodes = ["cancelled", "restored", "poisoned"] as const

/** Finds failed messages. */
export class FailedMessageRepo extends Context.Tag("services/FailedMessageRepo")<
  FailedMessageRepo,
  {
    readonly count: (filter: FailedFilter) => Effect.Effect<number, ServiceUnavailableError>
    /** The first `limit` ids, oldest first. */
    readonly ids: (
      filter: FailedFilter,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MessageId>, ServiceUnavailableError>
  }
>() {}
