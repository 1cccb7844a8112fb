import { SqlClient } from "@effect/sql"
import { page } from "@switchboard/domain/Page"
import type { KnowledgeBase } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { readableRows } from "@switchboard/services/ReadableRows"
import type { DocumentUpload } from "@switchboard/services/voice/knowledgeBases/DocumentUpload"
import { KnowledgeBaseRepo } from "@switchboard/services/voice/knowledgeBases/KnowledgeBaseRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts, violatesReference } from "../../database/Unavailable.js"
import { noteRemovals } from "../../objects/NoteRemovals.js"
import { found } from "../../Search.js"
import { baseColumns, baseFromRow, documentColumns, uploadFromRow } from "./KnowledgeBaseRows.js"

const insertBase = (
  sql: SqlClient.SqlClient,
  { createdAt, description, id, name, organizationId, updatedAt }: KnowledgeBase
) =>
  sql`INSERT INTO voice_knowledge_bases (organization_id, id, name, description, created_at, updated_at)
    VALUES (${organizationId}, ${id}, ${name}, ${description ?? null}, ${DateTime.toDateUtc(createdAt)},
      ${DateTime.toDateUtc(updatedAt)})`

const insertDocument = (
  sql: SqlClient.SqlClient,
  { document, expiresAt, organizationId }: DocumentUpload,
  lookAt: DateTime.Utc
) =>
  sql`INSERT INTO voice_knowledge_documents (organization_id, knowledge_base_id, id, filename, content_type,
      content_length, storage_key, status, upload_expires_at, look_at, created_at)
    VALUES (${organizationId}, ${document.knowledgeBaseId}, ${document.id}, ${document.filename},
      ${document.contentType}, ${document.contentLength}, ${document.storageKey}, ${document.status},
      ${DateTime.toDateUtc(expiresAt)}, ${DateTime.toDateUtc(lookAt)}, ${DateTime.toDateUtc(document.createdAt)})`

/** Knowledge bases in `voice_knowledge_bases`, their documents in `voice_knowledge_documents`. */
export const KnowledgeBaseRepoSql = Layer.effect(
  KnowledgeBaseRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(baseColumns)

    return {
      insert: (base) => forCaller(Effect.asVoid(insertBase(sql, base))),
      find: (organization, id) =>
        forCaller(
          Effect.map(
            sql`SELECT ${columns} FROM voice_knowledge_bases WHERE organization_id = ${organization} AND id = ${id}`,
            ([row]) => Option.map(Option.fromNullable(row), baseFromRow)
          )
        ),
      list: (organization, { search }, request) =>
        Effect.gen(function* () {
          const where = sql.and([
            sql`organization_id = ${organization}`,
            ...(search === undefined ? [] : [found(sql, search, ["name", "description"])])
          ])
          const rows = yield* sql`SELECT ${columns} FROM voice_knowledge_bases WHERE ${where}
            ORDER BY id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM voice_knowledge_bases WHERE ${where}`
          return page(yield* readableRows(rows, baseFromRow), count?.total ?? 0, request)
        }).pipe(forCaller),
      documents: (organization, id, request) =>
        Effect.gen(function* () {
          const where = sql`d.organization_id = ${organization} AND d.knowledge_base_id = ${id}`
          const rows = yield* sql`SELECT ${sql.literal(documentColumns)} FROM voice_knowledge_documents AS d
            WHERE ${where} ORDER BY d.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM voice_knowledge_documents AS d WHERE ${where}`
          const documents = yield* readableRows(rows, (row) => uploadFromRow(row).document)
          return page(documents, count?.total ?? 0, request)
        }).pipe(forCaller),
      addDocument: (upload, lookAt) =>
        Effect.as(insertDocument(sql, upload, lookAt), true).pipe(
          Effect.catchIf(
            (error) => violatesReference(error, "voice_knowledge_documents_base_fkey"),
            () => Effect.succeed(false)
          ),
          forCaller
        ),
      remove: (organization, id, leftBehind) =>
        Effect.gen(function* () {
          // First the knowledge base: who settles an upload locks it first too.
          const [base] = yield* sql`SELECT id FROM voice_knowledge_bases
            WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          if (base === undefined) return Option.none()
          const rows = yield* sql`DELETE FROM voice_knowledge_documents AS d
            WHERE d.organization_id = ${organization} AND d.knowledge_base_id = ${id}
            RETURNING ${sql.literal(documentColumns)}`
          const left = rows.flatMap((row) => leftBehind(uploadFromRow(row)))
          yield* noteRemovals(sql, left)
          yield* sql`DELETE FROM voice_knowledge_bases WHERE organization_id = ${organization} AND id = ${id}`
          return Option.some(left)
        }).pipe(sql.withTransaction, retryConflicts, forCaller)
    }
  })
)
