import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { KnowledgeBaseId, KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ObjectRemoval } from "../../objects/ObjectRemovals.js"
import type { DocumentUpload } from "./DocumentUpload.js"

/** An exclusive hold of an upload. */
export interface Hold {
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** Stores the state of uploads. One process at a time holds an upload. */
export class DocumentUploadRepo extends Context.Tag("services/DocumentUploadRepo")<
  DocumentUploadRepo,
  {
    /** The upload of a document. */
    readonly find: (
      organization: OrganizationId,
      id: KnowledgeDocumentId
    ) => Effect.Effect<Option.Option<DocumentUpload>, ServiceUnavailableError>
    /** Holds an upload. Returns false if it is not pending, or held already. */
    readonly hold: (upload: DocumentUpload, hold: Hold) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Extends a hold. Returns false if it was lost, or the document was removed. */
    readonly renew: (upload: DocumentUpload, hold: Hold, next: Hold) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Releases a hold without a result. */
    readonly release: (upload: DocumentUpload, hold: Hold) => Effect.Effect<void, ServiceUnavailableError>
    /**
     * Stores the result of a held upload, counts a ready document, and queues the removals. Returns false and stores
     * nothing if the hold was lost, or the document was removed.
     */
    readonly settle: (
      upload: DocumentUpload,
      hold: Hold,
      status: "ready" | "failed",
      leftBehind: ReadonlyArray<ObjectRemoval>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Holds the pending uploads of a knowledge base that are not held, newest first. */
    readonly holdOf: (
      organization: OrganizationId,
      base: KnowledgeBaseId,
      hold: Hold,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DocumentUpload>, ServiceUnavailableError>
    /** Holds the due uploads of all organizations and sets their next check to `nextCheckAt`. */
    readonly holdDue: (
      hold: Hold,
      nextCheckAt: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DocumentUpload>, ServiceUnavailableError>
  }
>() {}
