import type { SqlClient } from "@effect/sql"
import type { AttachmentId } from "@switchboard/domain/attachments/UploadedAttachment"
import type { Draft, DraftId } from "@switchboard/domain/drafts/Draft"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { neededBy } from "@switchboard/services/drafts/DraftRepo"
import { DateTime, Effect } from "effect"

/** Keeps the files that a draft needs, as long as it needs them; one that the organization does not have is not found. */
export const keepAttachments = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, draft: Draft) {
  const needed = neededBy(draft)
  if (needed.length === 0) return
  // Its row is changed before it is named: whoever removes what nobody names sees that.
  const found = yield* sql<{ id: AttachmentId }>`UPDATE attachments SET expires_at = NULL
    WHERE organization_id = ${draft.organizationId} AND id = ANY(${needed}::uuid[]) RETURNING id`
  const missing = needed.find((id) => found.every((one) => one.id !== id))
  if (missing !== undefined) return yield* new ResourceNotFoundError({ resource: "attachment", id: missing })
  yield* sql`INSERT INTO draft_attachments (organization_id, draft_id, attachment_id)
    SELECT ${draft.organizationId}, ${draft.id}, unnest(${needed}::uuid[]) ON CONFLICT DO NOTHING`
})

/** Lets go of all files that a draft named, but for those it still needs: they go then, unless another draft names them. */
export const letGoOfAttachments = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  draft: DraftId,
  needed: ReadonlyArray<AttachmentId>,
  unusedUntil: DateTime.Utc
) =>
  sql`WITH gone AS (
      DELETE FROM draft_attachments
      WHERE organization_id = ${organization} AND draft_id = ${draft} AND attachment_id <> ALL(${needed}::uuid[])
      RETURNING attachment_id
    )
    UPDATE attachments AS a SET expires_at = ${DateTime.toDateUtc(unusedUntil)} FROM gone
    WHERE a.organization_id = ${organization} AND a.id = gone.attachment_id AND NOT EXISTS (
      SELECT 1 FROM draft_attachments AS d
      WHERE d.organization_id = ${organization} AND d.attachment_id = a.id AND d.draft_id <> ${draft})`
