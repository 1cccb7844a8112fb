import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type {
  KnowledgeBase,
  KnowledgeBaseFilters,
  KnowledgeBaseId,
  KnowledgeDocument,
  KnowledgeDocumentId
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { Context, type Effect, type Option } from "effect"
import type { ObjectRemoval } from "../../objects/ObjectRemovals.js"
import type { ResourceRepo } from "../../ResourceRepo.js"
import type { Hold, StoredDocument } from "./DocumentUpload.js"

/** Stores knowledge bases and the metadata of their documents. One process at a time holds an upload. */
export class KnowledgeBaseRepo extends Context.Tag("services/KnowledgeBaseRepo")<
  KnowledgeBaseRepo,
  Pick<ResourceRepo<KnowledgeBase, KnowledgeBaseId, KnowledgeBaseFilters>, "insert" | "find" | "list"> & {
    /**
     * Removes a knowledge base with its documents, and queues the removal of their objects. None if the organization
     * has no such knowledge base.
     */
    readonly remove: (
      organization: OrganizationId,
      id: KnowledgeBaseId,
      leftBehind: (document: StoredDocument) => ReadonlyArray<ObjectRemoval>
    ) => Effect.Effect<Option.Option<ReadonlyArray<ObjectRemoval>>, ServiceUnavailableError>
    /** The documents of a knowledge base, newest first; empty if there is no such knowledge base. */
    readonly documents: (
      organization: OrganizationId,
      id: KnowledgeBaseId,
      page: PageRequest
    ) => Effect.Effect<Page<KnowledgeDocument>, BadRequestError | ServiceUnavailableError>
    /** Stores a document to be uploaded. Returns false if there is no such knowledge base. */
    readonly addDocument: (document: StoredDocument) => Effect.Effect<boolean, ServiceUnavailableError>
    /** A document of the organization. */
    readonly findDocument: (
      organization: OrganizationId,
      id: KnowledgeDocumentId
    ) => Effect.Effect<Option.Option<StoredDocument>, ServiceUnavailableError>
    /** The newest documents with a pending upload, of one knowledge base or of all. */
    readonly pendingDocuments: (
      organization: OrganizationId,
      base: KnowledgeBaseId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredDocument>, ServiceUnavailableError>
    /** Holds an upload. Returns false if it is not pending, or held already. */
    readonly hold: (document: StoredDocument, hold: Hold) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Stores the result of a held upload, counts a ready document, and queues the removals. Returns false and stores
     * nothing if the hold was lost, or the document was removed.
     */
    readonly settle: (
      document: StoredDocument,
      hold: Hold,
      status: "ready" | "failed",
      leftBehind: ReadonlyArray<ObjectRemoval>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
