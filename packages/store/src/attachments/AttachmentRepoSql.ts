import { SqlClient } from "@effect/sql"
import { AttachmentId, UploadedAttachment } from "@switchboard/domain/attachments/UploadedAttachment"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AttachmentRepo, attachmentKey } from "@switchboard/services/attachments/AttachmentRepo"
import { DateTime, Effect, Layer, Schema } from "effect"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { scheduleRemovals } from "../objects/ScheduleRemovals.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: AttachmentId,
    filename: Schema.String,
    contentType: Schema.String,
    size: Schema.Int,
    createdAt: Schema.DateTimeUtcFromDate
  })
)

const decodeRemoved = Schema.decodeUnknownSync(Schema.Struct({ organizationId: OrganizationId, id: AttachmentId }))

/** Attachments of drafts in the table `attachments`, with their drafts in `draft_attachments`. */
export const AttachmentRepoSql = Layer.effect(
  AttachmentRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      insert: (organization, { contentType, createdAt, filename, id, size }, expiresAt) =>
        sql`INSERT INTO attachments (organization_id, id, filename, content_type, size, expires_at, created_at)
          VALUES (${organization}, ${id}, ${filename}, ${contentType}, ${size}, ${DateTime.toDateUtc(expiresAt)},
            ${DateTime.toDateUtc(createdAt)})`.pipe(Effect.asVoid, forRequest),
      expire: (organization, id, expiresAt) =>
        sql`UPDATE attachments SET expires_at = ${DateTime.toDateUtc(expiresAt)}
          WHERE organization_id = ${organization} AND id = ${id}`.pipe(Effect.asVoid, forRequest),
      findMany: (organization, ids) =>
        sql`SELECT id, filename, content_type AS "contentType", size, created_at AS "createdAt" FROM attachments
          WHERE organization_id = ${organization} AND id = ANY(${ids}::uuid[])`.pipe(
          Effect.map((rows) => rows.map((row) => new UploadedAttachment(decode(row), { disableValidation: true }))),
          forRequest
        ),
      removeUnused: (now, limit) =>
        Effect.gen(function* () {
          // A draft that links an attachment updates its row first: the row is either skipped here, or gone for the
          // draft.
          const rows = yield* sql`WITH due AS (
              SELECT a.organization_id, a.id FROM attachments AS a
              WHERE a.expires_at <= ${DateTime.toDateUtc(now)} AND NOT EXISTS (
                SELECT 1 FROM draft_attachments AS d
                WHERE d.organization_id = a.organization_id AND d.attachment_id = a.id)
              ORDER BY a.expires_at LIMIT ${limit} FOR UPDATE OF a SKIP LOCKED
            )
            DELETE FROM attachments AS a USING due WHERE a.organization_id = due.organization_id AND a.id = due.id
            RETURNING a.organization_id AS "organizationId", a.id`
          yield* scheduleRemovals(
            sql,
            rows.map((row) => {
              const { id, organizationId } = decodeRemoved(row)
              return { organizationId, key: attachmentKey(organizationId, id), dueAt: now }
            })
          )
          return rows.length
        }).pipe(sql.withTransaction, retryConflicts, orUnavailable)
    }
  })
)
