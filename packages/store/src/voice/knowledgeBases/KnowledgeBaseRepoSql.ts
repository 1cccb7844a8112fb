import { SqlClient } from "@effect/sql"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  KnowledgeBase,
  KnowledgeBaseId,
  KnowledgeDocument,
  KnowledgeDocumentId,
  KnowledgeDocumentStatus
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import type { DocumentUpload } from "@switchboard/services/voice/knowledgeBases/DocumentUpload"
import { KnowledgeBaseRepo } from "@switchboard/services/voice/knowledgeBases/KnowledgeBaseRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { forRequest, retryConflicts, violatesReference } from "../../database/Unavailable.js"
import { containsText } from "../../Filters.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { selectPage } from "../../Lists.js"
import { scheduleRemovals } from "../../objects/ScheduleRemovals.js"

const decodeBase = Schema.decodeUnknownSync(
  Schema.Struct({
    id: KnowledgeBaseId,
    organizationId: OrganizationId,
    name: Schema.String,
    description: Schema.optionalWith(Schema.String, { nullable: true }),
    documentCount: Schema.Int,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

const decodeDocument = Schema.decodeUnknownSync(
  Schema.Struct({
    organizationId: OrganizationId,
    id: KnowledgeDocumentId,
    knowledgeBaseId: KnowledgeBaseId,
    filename: Schema.String,
    contentType: Schema.String,
    contentLength: Schema.Int,
    storageKey: ObjectKey,
    status: KnowledgeDocumentStatus,
    expiresAt: Schema.DateTimeUtcFromDate,
    createdAt: Schema.DateTimeUtcFromDate
  })
)

const baseColumns = `id, organization_id AS "organizationId", name, description,
  document_count AS "documentCount", created_at AS "createdAt", updated_at AS "updatedAt"`

export const documentColumns = `d.organization_id AS "organizationId", d.id, d.knowledge_base_id AS "knowledgeBaseId",
  d.filename, d.content_type AS "contentType", d.content_length AS "contentLength", d.storage_key AS "storageKey",
  d.status, d.upload_expires_at AS "expiresAt", d.created_at AS "createdAt"`

/** Decodes a knowledge base. */
const baseFromRow = (row: object): KnowledgeBase => new KnowledgeBase(decodeBase(row), { disableValidation: true })

/** Decodes a document with the expiry of its upload. */
export const uploadFromRow = (row: object): DocumentUpload => {
  const { expiresAt, organizationId, ...document } = decodeDocument(row)
  return { organizationId, expiresAt, document: new KnowledgeDocument(document, { disableValidation: true }) }
}

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

/** Knowledge bases in the table `voice_knowledge_bases`, with documents in `voice_knowledge_documents`. */
export const KnowledgeBaseRepoSql = Layer.effect(
  KnowledgeBaseRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(baseColumns)

    return {
      insert: (base) =>
        insertBase(sql, base).pipe(
          withCreationKey(sql, () => base.id),
          Effect.asVoid,
          forRequest
        ),
      find: (organization, id) =>
        forRequest(
          Effect.map(
            sql`SELECT ${columns} FROM voice_knowledge_bases WHERE organization_id = ${organization} AND id = ${id}`,
            ([row]) => Option.map(Option.fromNullable(row), baseFromRow)
          )
        ),
      list: (organization, { search }, request) =>
        Effect.gen(function* () {
          const where = [
            sql`organization_id = ${organization}`,
            ...(search === undefined ? [] : [containsText(sql, search, ["name", "description"])])
          ]
          return yield* selectPage(sql, request, {
            columns: baseColumns,
            tables: "voice_knowledge_bases",
            where,
            id: "id",
            read: baseFromRow
          })
        }).pipe(forRequest),
      documents: (organization, id, request) =>
        Effect.gen(function* () {
          return yield* selectPage(sql, request, {
            columns: documentColumns,
            tables: "voice_knowledge_documents AS d",
            where: [sql`d.organization_id = ${organization} AND d.knowledge_base_id = ${id}`],
            id: "d.id",
            read: (row) => uploadFromRow(row).document
          })
        }).pipe(forRequest),
      addDocument: (upload, lookAt) =>
        Effect.as(insertDocument(sql, upload, lookAt), true).pipe(
          Effect.catchIf(
            (error) => violatesReference(error, "voice_knowledge_documents_base_fkey"),
            () => Effect.succeed(false)
          ),
          withCreationKey(sql, (isStored) => (isStored ? upload.document.id : null)),
          forRequest
        ),
      remove: (organization, id, leftBehind) =>
        Effect.gen(function* () {
          // Locks the knowledge base first, in the same order as the settlement of an upload.
          const [base] = yield* sql`SELECT id FROM voice_knowledge_bases
            WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          if (base === undefined) return Option.none()
          const rows = yield* sql`DELETE FROM voice_knowledge_documents AS d
            WHERE d.organization_id = ${organization} AND d.knowledge_base_id = ${id}
            RETURNING ${sql.literal(documentColumns)}`
          const left = rows.flatMap((row) => leftBehind(uploadFromRow(row)))
          yield* scheduleRemovals(sql, left)
          yield* sql`DELETE FROM voice_knowledge_bases WHERE organization_id = ${organization} AND id = ${id}`
          return Option.some(left)
        }).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
