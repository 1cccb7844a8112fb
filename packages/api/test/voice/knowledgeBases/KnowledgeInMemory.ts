import { page } from "@switchboard/domain/Page"
import { KnowledgeBase, KnowledgeDocument } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DirectUploads } from "@switchboard/services/objects/DirectUploads"
import { ObjectRemovals } from "@switchboard/services/objects/ObjectRemovals"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import type { DocumentUpload } from "@switchboard/services/voice/knowledgeBases/DocumentUpload"
import { DocumentUploadRepo } from "@switchboard/services/voice/knowledgeBases/DocumentUploadRepo"
import { KnowledgeBaseRepo } from "@switchboard/services/voice/knowledgeBases/KnowledgeBaseRepo"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { UploadSearches } from "@switchboard/services/voice/knowledgeBases/UploadSearches"
import { Uploads } from "@switchboard/services/voice/knowledgeBases/Uploads"
import { Effect, Layer, Option, Redacted } from "effect"

/** Knowledge bases as the use case makes them, kept as long as the test runs. */
export const knowledgeInMemory = () => {
  const bases = new Map<string, KnowledgeBase>()
  const uploads = new Map<string, DocumentUpload>()
  const held = new Set<string>()

  const find: KnowledgeBaseRepo["Type"]["find"] = (organization, id) =>
    Effect.sync(() =>
      Option.filter(Option.fromNullable(bases.get(id)), ({ organizationId }) => organizationId === organization)
    )

  const Bases = Layer.succeed(KnowledgeBaseRepo, {
    insert: (base) => Effect.sync(() => void bases.set(base.id, base)),
    find,
    list: (organization, { search = "" }, request) =>
      Effect.sync(() => {
        const own = [...bases.values()].filter(
          ({ name, organizationId }) => organizationId === organization && name.includes(search)
        )
        return page(own.reverse(), own.length, request)
      }),
    documents: (_, id, request) =>
      Effect.sync(() => {
        const all = [...uploads.values()].flatMap(({ document }) => (document.knowledgeBaseId === id ? [document] : []))
        return page(all.reverse(), all.length, request)
      }),
    addDocument: (upload) =>
      Effect.map(find(upload.organizationId, upload.document.knowledgeBaseId), (found) => {
        if (Option.isSome(found)) uploads.set(upload.document.id, upload)
        return Option.isSome(found)
      }),
    remove: (organization, id) =>
      Effect.map(
        find(organization, id),
        Option.map(() => {
          bases.delete(id)
          for (const [key, { document }] of uploads) if (document.knowledgeBaseId === id) uploads.delete(key)
          return []
        })
      )
  })

  const UploadRows = Layer.succeed(DocumentUploadRepo, {
    find: (_, id) => Effect.sync(() => Option.fromNullable(uploads.get(id))),
    hold: ({ document: { id } }) => Effect.sync(() => !held.has(id) && held.add(id).has(id)),
    renew: ({ document: { id } }) => Effect.sync(() => held.has(id)),
    release: ({ document: { id } }) => Effect.sync(() => void held.delete(id)),
    settle: (upload, _, status) =>
      Effect.sync(() => {
        const document = new KnowledgeDocument({ ...upload.document, status })
        const base = bases.get(document.knowledgeBaseId)
        uploads.set(document.id, { ...upload, document })
        if (base !== undefined) {
          bases.set(base.id, new KnowledgeBase({ ...base, documentCount: base.documentCount + 1 }))
        }
        return true
      }),
    holdOf: () => Effect.succeed([]),
    holdDue: () => Effect.succeed([])
  })

  return Layer.merge(KnowledgeBases.Default, Uploads.Default).pipe(
    Layer.provide(UploadSearches.Default),
    Layer.provide(
      Layer.mergeAll(
        Bases,
        UploadRows,
        objectsInMemory(),
        Layer.succeed(DirectUploads, Option.none()),
        Layer.succeed(ObjectRemovals, { takeDue: () => Effect.succeed([]), done: () => Effect.void }),
        Layer.succeed(PublicUrl, "https://mail.test"),
        Layer.fresh(Signatures.Live)
      )
    ),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(Buffer.alloc(32, 7))))
  )
}
