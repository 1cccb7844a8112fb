import type { AttachmentId, UploadedAttachment } from "@switchboard/domain/attachments/UploadedAttachment"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type ObjectKey, objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, Duration, type Effect } from "effect"

/** How long a file is kept that no draft names. */
export const unusedLast = Duration.days(7)

/** Where a file is kept. */
export const attachmentKey = (organization: OrganizationId, id: AttachmentId): ObjectKey =>
  objectKey(organization, "attachments", id)

/** What is known of files that were uploaded for drafts. Which drafts name them is for the drafts to say. */
export class AttachmentRepo extends Context.Tag("services/AttachmentRepo")<
  AttachmentRepo,
  {
    /** Stores a file that no draft names yet, and when it goes if none ever does. */
    readonly insert: (
      organization: OrganizationId,
      attachment: UploadedAttachment,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Changes when a file goes that no draft names. */
    readonly expire: (
      organization: OrganizationId,
      id: AttachmentId,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Those of the ids that are the organization's, in no order. */
    readonly findMany: (
      organization: OrganizationId,
      ids: ReadonlyArray<AttachmentId>
    ) => Effect.Effect<ReadonlyArray<UploadedAttachment>, ServiceUnavailableError>
    /** Forgets some of those that are to go by now, and has their objects removed; how many that was. */
    readonly removeUnused: (now: DateTime.Utc, limit: number) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
