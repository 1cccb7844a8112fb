import { SqlClient } from "@effect/sql"
import { KnowledgeBase, KnowledgeDocument } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { type Hold, StoredDocument } from "@switchboard/services/voice/knowledgeBases/DocumentUpload"
import { KnowledgeBaseRepo } from "@switchboard/services/voice/knowledgeBases/KnowledgeBaseRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { forRequest, violatesReference } from "../../database/Unavailable.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { scheduleRemovals } from "../../objects/ScheduleRemovals.js"
import { resourceTable } from "../../Resources.js"
import { rowMapping } from "../../RowMapping.js"

const base = rowMapping(KnowledgeBase.fields, { alias: "b" })
const document = rowMapping(StoredDocument.fields, { alias: "d" })
const listedDocument = rowMapping(KnowledgeDocument.fields, { alias: "d" })
const documentTables = "voice_knowledge_documents AS d"

/** Knowledge bases in the table `voice_knowledge_bases`, with documents in `voice_knowledge_documents`. */
export const KnowledgeBaseRepoSql = Layer.effect(
  KnowledgeBaseRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const bases = resourceTable(sql, {
      ...{ ...base, tables: "voice_knowledge_bases AS b" },
      read: (row) => new KnowledgeBase(base.read(row), { disableValidation: true })
    })
    const documents = resourceTable(sql, { ...document, tables: documentTables })
    const listed = resourceTable(sql, {
      ...{ ...listedDocument, tables: documentTables },
      read: (row) => new KnowledgeDocument(listedDocument.read(row), { disableValidation: true })
    })

    const isPending = ({ id, organizationId }: StoredDocument) =>
      sql`organization_id = ${organizationId} AND id = ${id} AND status = 'pending_upload'`

    const count = ({ knowledgeBaseId, organizationId }: StoredDocument, { now }: Hold) =>
      sql`UPDATE voice_knowledge_bases SET document_count = document_count + 1, updated_at = ${DateTime.toDateUtc(now)}
        WHERE organization_id = ${organizationId} AND id = ${knowledgeBaseId}`

    return {
      insert: (created) =>
        sql`INSERT INTO voice_knowledge_bases ${sql.insert(base.write(created))}`.pipe(
          withCreationKey(sql, () => created.id),
          Effect.asVoid,
          forRequest
        ),
      find: bases.find,
      list: (organization, { search }, request) =>
        bases.list(organization, { search, searched: ["name", "description"] }, request),
      remove: (organization, id, leftBehind) =>
        // Locks the knowledge base first, in the same order as the settlement of an upload.
        bases.change(organization, id, () =>
          Effect.gen(function* () {
            const rows = yield* sql`DELETE FROM voice_knowledge_documents AS d
              WHERE d.organization_id = ${organization} AND d.knowledge_base_id = ${id}
              RETURNING ${sql.literal(document.columns)}`
            const left = rows.flatMap((row) => leftBehind(document.read(row)))
            yield* scheduleRemovals(sql, left)
            yield* sql`DELETE FROM voice_knowledge_bases WHERE organization_id = ${organization} AND id = ${id}`
            return left
          })
        ),
      documents: (organization, id, request) =>
        listed.list(organization, { equal: { knowledge_base_id: id } }, request),
      addDocument: (added) =>
        Effect.as(sql`INSERT INTO voice_knowledge_documents ${sql.insert(document.write(added))}`, true).pipe(
          Effect.catchIf(
            (error) => violatesReference(error, "voice_knowledge_documents_base_fkey"),
            () => Effect.succeed(false)
          ),
          withCreationKey(sql, (isStored) => (isStored ? added.id : null)),
          forRequest
        ),
      findDocument: documents.find,
      pendingDocuments: (organization, id, limit) =>
        sql`SELECT ${sql.literal(document.columns)} FROM ${sql.literal(documentTables)}
          WHERE d.organization_id = ${organization} AND d.status = 'pending_upload'
            AND (${id}::uuid IS NULL OR d.knowledge_base_id = ${id})
          ORDER BY d.id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(document.read)),
          forRequest
        ),
      hold: (held, { now, until }) =>
        sql`UPDATE voice_knowledge_documents SET held_until = ${DateTime.toDateUtc(until)}
          WHERE ${isPending(held)} AND (held_until IS NULL OR held_until <= ${DateTime.toDateUtc(now)})
          RETURNING id`.pipe(
          Effect.map((rows) => rows.length > 0),
          forRequest
        ),
      settle: (held, hold, status, leftBehind) =>
        bases
          .change(held.organizationId, held.knowledgeBaseId, () =>
            Effect.gen(function* () {
              const settled = yield* sql`UPDATE voice_knowledge_documents SET status = ${status}, held_until = NULL
                WHERE ${isPending(held)} AND held_until = ${DateTime.toDateUtc(hold.until)} RETURNING id`
              if (settled.length === 0) return false
              if (status === "ready") yield* count(held, hold)
              yield* scheduleRemovals(sql, leftBehind)
              return true
            })
          )
          .pipe(Effect.map(Option.getOrElse(() => false)))
    }
  })
)
