import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type {
  KnowledgeBase,
  KnowledgeBaseFilters,
  KnowledgeBaseId,
  KnowledgeDocument
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ObjectRemoval } from "../../objects/ObjectRemovals.js"
import type { DocumentUpload } from "./DocumentUpload.js"

/** Stores knowledge bases and the metadata of their documents. */
export class KnowledgeBaseRepo extends Context.Tag("services/KnowledgeBaseRepo")<
  KnowledgeBaseRepo,
  {
    /** Stores a knowledge base. */
    readonly insert: (base: KnowledgeBase) => Effect.Effect<void, ServiceUnavailableError>
    /** A knowledge base of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: KnowledgeBaseId
    ) => Effect.Effect<Option.Option<KnowledgeBase>, ServiceUnavailableError>
    /** The organization's knowledge bases, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: KnowledgeBaseFilters,
      page: PageRequest
    ) => Effect.Effect<Page<KnowledgeBase>, BadRequestError | ServiceUnavailableError>
    /** The documents of a knowledge base, newest first; empty if there is no such knowledge base. */
    readonly documents: (
      organization: OrganizationId,
      id: KnowledgeBaseId,
      page: PageRequest
    ) => Effect.Effect<Page<KnowledgeDocument>, BadRequestError | ServiceUnavailableError>
    /**
     * Stores a document to be uploaded, with the time of its first check. Returns false if there is no such knowledge
     * base.
     */
    readonly addDocument: (
      upload: DocumentUpload,
      lookAt: DateTime.Utc
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Removes a knowledge base with its documents, and queues the removal of their objects. None if the organization
     * has no such knowledge base.
     */
    readonly remove: (
      organization: OrganizationId,
      id: KnowledgeBaseId,
      leftBehind: (upload: DocumentUpload) => ReadonlyArray<ObjectRemoval>
    ) => Effect.Effect<Option.Option<ReadonlyArray<ObjectRemoval>>, ServiceUnavailableError>
  }
>() {}
