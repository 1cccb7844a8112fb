import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { HandsetText, HandsetTextId } from "@switchboard/domain/handset/HandsetText"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"

/** A text as the local handset received it. */
export type ReceivedHandsetText = Omit<HandsetText, "messageId">

/** Stores the texts of the local handset. */
export class HandsetRepo extends Context.Tag("services/HandsetRepo")<
  HandsetRepo,
  {
    /**
     * Stores a text for the organization that has the sending number, and deletes the oldest beyond 10,000. Concurrent
     * calls share a transaction.
     */
    readonly insert: (text: ReceivedHandsetText) => Effect.Effect<void, ServiceUnavailableError>
    /** The organization's texts, newest first. */
    readonly list: (
      organization: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<HandsetText>, BadRequestError | ServiceUnavailableError>
    /** A text of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: HandsetTextId
    ) => Effect.Effect<Option.Option<HandsetText>, ServiceUnavailableError>
  }
>() {}
