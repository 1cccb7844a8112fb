import type { SqlClient } from "@effect/sql"
import type { AttachmentId } from "@switchboard/domain/attachments/UploadedAttachment"
import type { Draft, DraftId } from "@switchboard/domain/drafts/Draft"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { requiredFiles } from "@switchboard/services/drafts/DraftRepo"
import { DateTime, Effect } from "effect"

/** Links a draft to its attachments, which then do not expire. Fails if one does not exist in the organization. */
export const linkAttachments = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, draft: Draft) {
  const needed = requiredFiles(draft)
  if (needed.length === 0) return
  // The row is updated before it is linked, so that a concurrent removal of unused attachments skips it.
  const found = yield* sql<{ id: AttachmentId }>`UPDATE attachments SET expires_at = NULL
    WHERE organization_id = ${draft.organizationId} AND id = ANY(${needed}::uuid[]) RETURNING id`
  const missing = needed.find((id) => found.every((one) => one.id !== id))
  if (missing !== undefined) return yield* new ResourceNotFoundError({ resource: "attachment", id: missing })
  yield* sql`INSERT INTO draft_attachments (organization_id, draft_id, attachment_id)
    SELECT ${draft.organizationId}, ${draft.id}, unnest(${needed}::uuid[]) ON CONFLICT DO NOTHING`
})

/** Removes a draft's links except to `needed`. Attachments that no other draft links expire at `unusedUntil`. */
export const unlinkAttachments = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  draft: DraftId,
  needed: ReadonlyArray<AttachmentId>,
  unusedUntil: DateTime.Utc
) =>
  sql`WITH deleted AS (
      DELETE FROM draft_attachments
      WHERE organization_id = ${organization} AND draft_id = ${draft} AND attachment_id <> ALL(${needed}::uuid[])
      RETURNING attachment_id
    )
    UPDATE attachments AS a SET expires_at = ${DateTime.toDateUtc(unusedUntil)} FROM deleted
    WHERE a.organization_id = ${organization} AND a.id = deleted.attachment_id AND NOT EXISTS (
      SELECT 1 FROM draft_attachments AS d
      WHERE d.organization_id = ${organization} AND d.attachment_id = a.id AND d.draft_id <> ${draft})`
