import type { AttachmentId, UploadedAttachment } from "@switchboard/domain/attachments/UploadedAttachment"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type ObjectKey, objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, Duration, type Effect } from "effect"

/** The time after which a file without a draft is deleted. */
export const unusedRetention = Duration.days(7)

/** The object key of a file. */
export const attachmentKey = (organization: OrganizationId, id: AttachmentId): ObjectKey =>
  objectKey(organization, "attachments", id)

/** Stores the metadata of files that were uploaded for drafts. */
export class AttachmentRepo extends Context.Tag("services/AttachmentRepo")<
  AttachmentRepo,
  {
    /** Stores a file that no draft names, and the time at which it is deleted unless a draft names it. */
    readonly insert: (
      organization: OrganizationId,
      attachment: UploadedAttachment,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Changes the time at which an unnamed file is deleted. */
    readonly expire: (
      organization: OrganizationId,
      id: AttachmentId,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** The organization's files among the ids, in no order. */
    readonly findMany: (
      organization: OrganizationId,
      ids: ReadonlyArray<AttachmentId>
    ) => Effect.Effect<ReadonlyArray<UploadedAttachment>, ServiceUnavailableError>
    /**
     * Deletes up to `limit` expired files without a draft, and queues the removal of their objects. Returns their
     * number.
     */
    readonly removeUnused: (now: DateTime.Utc, limit: number) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
