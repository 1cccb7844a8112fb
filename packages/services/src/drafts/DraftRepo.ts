import type { AttachmentId } from "@switchboard/domain/attachments/UploadedAttachment"
import type { Draft, DraftId } from "@switchboard/domain/drafts/Draft"
import type { DraftFilters } from "@switchboard/domain/drafts/DraftRequests"
import type { ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A draft as it is kept. */
export interface StoredDraft {
  readonly draft: Draft
  /** Until when whoever sends it has it to itself; null while nobody does. */
  readonly heldUntil: DateTime.Utc | null
}

/** The longest idempotency key that callers may have. */
const longestKey = 255

/**
 * The idempotency key of the message that a draft becomes: by it the draft is sent in the transaction that accepts the
 * message, whoever crashes after that. It is longer than callers' keys may be: none of theirs is ever a draft's.
 */
export const draftKey = (id: DraftId): string => `draft ${id}`.padEnd(longestKey + 1, ".")

/** The files that a draft needs: what it was sent with, its message has. */
export const neededBy = ({ content, sentMessageId }: Draft): ReadonlyArray<AttachmentId> =>
  sentMessageId === undefined ? (content.attachmentIds ?? []) : []

/**
 * Where drafts are kept. One is sent as soon as a message was accepted under its key, whether anybody has noted that or
 * not.
 */
export class DraftRepo extends Context.Tag("services/DraftRepo")<
  DraftRepo,
  {
    /** Stores a draft; a file that the organization does not have is not found. */
    readonly insert: (draft: Draft) => Effect.Effect<void, ResourceNotFoundError | ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: DraftId
    ) => Effect.Effect<Option.Option<Draft>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: DraftFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Draft>, ServiceUnavailableError>
    /**
     * Decides what becomes of a draft while nobody else changes it; files that no draft needs any more go at
     * `unusedUntil`. None if the organization has no such draft.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: DraftId,
      unusedUntil: DateTime.Utc,
      decide: (stored: StoredDraft) => Effect.Effect<StoredDraft, E>
    ) => Effect.Effect<Option.Option<Draft>, E | ResourceNotFoundError | ServiceUnavailableError>
    /** Removes a draft that may be removed, whether it existed. */
    readonly remove: <E>(
      organization: OrganizationId,
      id: DraftId,
      unusedUntil: DateTime.Utc,
      mayBe: (stored: StoredDraft) => Effect.Effect<void, E>
    ) => Effect.Effect<boolean, E | ServiceUnavailableError>
    /** Some of those whose hold is over, of everybody: nobody said how their sending ended. */
    readonly listLeft: (
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Pick<Draft, "id" | "organizationId">>, ServiceUnavailableError>
  }
>() {}
