import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type {
  KnowledgeBase,
  KnowledgeBaseId,
  KnowledgeDocument
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import type { KnowledgeBaseFilters } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBaseRequests"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ObjectRemoval } from "../../objects/ObjectRemovals.js"
import type { DocumentUpload } from "./DocumentUpload.js"

/** Where knowledge bases are kept, and what is said of their documents. */
export class KnowledgeBaseRepo extends Context.Tag("services/KnowledgeBaseRepo")<
  KnowledgeBaseRepo,
  {
    readonly insert: (base: KnowledgeBase) => Effect.Effect<void, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: KnowledgeBaseId
    ) => Effect.Effect<Option.Option<KnowledgeBase>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: KnowledgeBaseFilters,
      page: PageRequest
    ) => Effect.Effect<Page<KnowledgeBase>, ServiceUnavailableError>
    /** Newest first; none of a knowledge base that there is not. */
    readonly documents: (
      organization: OrganizationId,
      id: KnowledgeBaseId,
      page: PageRequest
    ) => Effect.Effect<Page<KnowledgeDocument>, ServiceUnavailableError>
    /** Stores a document that is to be uploaded, and when to look for it; false if there is no such knowledge base. */
    readonly addDocument: (
      upload: DocumentUpload,
      lookAt: DateTime.Utc
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Removes a knowledge base with its documents, and notes what they leave behind in the object store. None if the
     * organization has no such knowledge base.
     */
    readonly remove: (
      organization: OrganizationId,
      id: KnowledgeBaseId,
      leftBehind: (upload: DocumentUpload) => ReadonlyArray<ObjectRemoval>
    ) => Effect.Effect<Option.Option<ReadonlyArray<ObjectRemoval>>, ServiceUnavailableError>
  }
>() {}
