import type { AttachmentId } from "@switchboard/domain/attachments/UploadedAttachment"
import type { Draft, DraftId } from "@switchboard/domain/drafts/Draft"
import type { DraftFilters } from "@switchboard/domain/drafts/DraftRequests"
import type { BadRequestError, ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A stored draft. */
export interface StoredDraft {
  readonly draft: Draft
  /** The end of the hold of the request that sends the draft; null while no request does. */
  readonly heldUntil: DateTime.Utc | null
}

/** The maximum length of a caller's idempotency key. */
const maxKeyLength = 255

/**
 * The idempotency key of a draft's message. The draft counts as sent in the transaction that accepts the message, even
 * if the process crashes after that. The key is longer than a caller's may be, so that the two never collide.
 */
export const draftKey = (id: DraftId): string => `draft ${id}`.padEnd(maxKeyLength + 1, ".")

/** The files that a draft needs. A sent draft needs none: its message has its own copies. */
export const requiredFiles = ({ content, sentMessageId }: Draft): ReadonlyArray<AttachmentId> =>
  sentMessageId === undefined ? (content.attachmentIds ?? []) : []

/** Stores drafts. A draft is sent as soon as a message was accepted under its key. */
export class DraftRepo extends Context.Tag("services/DraftRepo")<
  DraftRepo,
  {
    /** Stores a draft. Fails if a file does not exist in the organization. */
    readonly insert: (draft: Draft) => Effect.Effect<void, ResourceNotFoundError | ServiceUnavailableError>
    /** A draft of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: DraftId
    ) => Effect.Effect<Option.Option<Draft>, ServiceUnavailableError>
    /** The organization's drafts, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: DraftFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Draft>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a draft, calls `decide`, and stores the result in one transaction. Files that no draft names any more
     * expire at `unusedUntil`. None if the organization has no such draft.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: DraftId,
      unusedUntil: DateTime.Utc,
      decide: (stored: StoredDraft) => Effect.Effect<StoredDraft, E>
    ) => Effect.Effect<Option.Option<Draft>, E | ResourceNotFoundError | ServiceUnavailableError>
    /** Removes a draft if `mayBe` succeeds under lock. Returns whether the draft existed. */
    readonly remove: <E>(
      organization: OrganizationId,
      id: DraftId,
      unusedUntil: DateTime.Utc,
      mayBe: (stored: StoredDraft) => Effect.Effect<void, E>
    ) => Effect.Effect<boolean, E | ServiceUnavailableError>
    /** Drafts of all organizations with an expired hold: the process that sent them did not release it. */
    readonly listExpiredHolds: (
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Pick<Draft, "id" | "organizationId">>, ServiceUnavailableError>
  }
>() {}
