import { SqlClient } from "@effect/sql"
import type { DocumentUpload } from "@switchboard/services/voice/knowledgeBases/DocumentUpload"
import { DocumentUploadRepo, type Hold } from "@switchboard/services/voice/knowledgeBases/DocumentUploadRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { forRequest, orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { scheduleRemovals } from "../../objects/ScheduleRemovals.js"
import { documentColumns, uploadFromRow } from "./KnowledgeBaseRepoSql.js"

/** Uploads of documents. `held_until` locks an upload for one request or worker. */
export const DocumentUploadRepoSql = Layer.effect(
  DocumentUploadRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(documentColumns)

    const isFree = ({ now }: Hold) =>
      sql`d.status = 'pending_upload' AND (d.held_until IS NULL OR d.held_until <= ${DateTime.toDateUtc(now)})`

    const isOf = ({ document, organizationId }: DocumentUpload) =>
      sql`d.organization_id = ${organizationId} AND d.id = ${document.id}`

    const isHeldBy = (upload: DocumentUpload, { until }: Hold) =>
      sql`${isOf(upload)} AND d.status = 'pending_upload' AND d.held_until = ${DateTime.toDateUtc(until)}`

    const count = ({ document, organizationId }: DocumentUpload, { now }: Hold) =>
      sql`UPDATE voice_knowledge_bases SET document_count = document_count + 1, updated_at = ${DateTime.toDateUtc(now)}
        WHERE organization_id = ${organizationId} AND id = ${document.knowledgeBaseId}`

    return {
      find: (organization, id) =>
        forRequest(
          Effect.map(
            sql`SELECT ${columns} FROM voice_knowledge_documents AS d
              WHERE d.organization_id = ${organization} AND d.id = ${id}`,
            ([row]) => Option.map(Option.fromNullable(row), uploadFromRow)
          )
        ),
      hold: (upload, hold) =>
        forRequest(
          Effect.map(
            sql`UPDATE voice_knowledge_documents AS d SET held_until = ${DateTime.toDateUtc(hold.until)}
              WHERE ${isOf(upload)} AND ${isFree(hold)} RETURNING d.id`,
            (rows) => rows.length > 0
          )
        ),
      renew: (upload, hold, { until }) =>
        forRequest(
          Effect.map(
            sql`UPDATE voice_knowledge_documents AS d SET held_until = ${DateTime.toDateUtc(until)}
              WHERE ${isHeldBy(upload, hold)} RETURNING d.id`,
            (rows) => rows.length > 0
          )
        ),
      release: (upload, hold) =>
        forRequest(
          Effect.asVoid(
            sql`UPDATE voice_knowledge_documents AS d SET held_until = NULL WHERE ${isHeldBy(upload, hold)}`
          )
        ),
      settle: (upload, hold, status, leftBehind) =>
        Effect.gen(function* () {
          // Locks the knowledge base first, in the same order as its removal.
          yield* sql`SELECT id FROM voice_knowledge_bases
            WHERE organization_id = ${upload.organizationId} AND id = ${upload.document.knowledgeBaseId} FOR UPDATE`
          const settled = yield* sql`UPDATE voice_knowledge_documents AS d SET status = ${status}, held_until = NULL
            WHERE ${isHeldBy(upload, hold)} RETURNING d.id`
          if (settled.length === 0) return false
          if (status === "ready") yield* count(upload, hold)
          yield* scheduleRemovals(sql, leftBehind)
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      holdOf: (organization, base, hold, limit) =>
        sql`UPDATE voice_knowledge_documents AS d SET held_until = ${DateTime.toDateUtc(hold.until)}
          WHERE d.organization_id = ${organization} AND d.id = ANY (ARRAY(
            SELECT d.id FROM voice_knowledge_documents AS d
            WHERE d.organization_id = ${organization} AND d.knowledge_base_id = ${base} AND ${isFree(hold)}
            ORDER BY d.id DESC LIMIT ${limit} FOR UPDATE SKIP LOCKED
          ))
          RETURNING ${columns}`.pipe(
          Effect.map((rows) => rows.map(uploadFromRow)),
          forRequest
        ),
      holdDue: (hold, lookAgainAt, limit) =>
        sql`UPDATE voice_knowledge_documents AS d
          SET held_until = ${DateTime.toDateUtc(hold.until)}, look_at = ${DateTime.toDateUtc(lookAgainAt)}
          FROM (
            SELECT d.organization_id, d.id FROM voice_knowledge_documents AS d
            WHERE d.look_at <= ${DateTime.toDateUtc(hold.now)} AND ${isFree(hold)}
            ORDER BY d.look_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
          ) AS due
          WHERE d.organization_id = due.organization_id AND d.id = due.id
          RETURNING ${columns}`.pipe(
          Effect.map((rows) => rows.map(uploadFromRow)),
          orUnavailable
        )
    }
  })
)
