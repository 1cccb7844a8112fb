import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { KnowledgeBaseId, KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ObjectRemoval } from "../../objects/ObjectRemovals.js"
import type { DocumentUpload } from "./DocumentUpload.js"

/** Whoever brings or looks for an upload has it to itself until then. */
export interface Hold {
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** How documents become ready: one hand at a time has the upload of each. */
export class DocumentUploadRepo extends Context.Tag("services/DocumentUploadRepo")<
  DocumentUploadRepo,
  {
    readonly find: (
      organization: OrganizationId,
      id: KnowledgeDocumentId
    ) => Effect.Effect<Option.Option<DocumentUpload>, ServiceUnavailableError>
    /** Takes hold of an upload; false if it is not pending, or somebody else has it. */
    readonly hold: (upload: DocumentUpload, hold: Hold) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Holds for longer what is held; false if the hold is lost or the document is gone. */
    readonly renew: (upload: DocumentUpload, hold: Hold, next: Hold) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Lets go of it: nothing has come. */
    readonly release: (upload: DocumentUpload, hold: Hold) => Effect.Effect<void, ServiceUnavailableError>
    /**
     * Says what became of an upload that is held, counts a document that is ready, and notes what is left behind. False,
     * and nothing is written, if the hold is lost or the document is gone.
     */
    readonly settle: (
      upload: DocumentUpload,
      hold: Hold,
      status: "ready" | "failed",
      leftBehind: ReadonlyArray<ObjectRemoval>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Holds those of a knowledge base that are pending and that nobody else has, newest first. */
    readonly holdOf: (
      organization: OrganizationId,
      base: KnowledgeBaseId,
      hold: Hold,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DocumentUpload>, ServiceUnavailableError>
    /** Holds those of everybody that are to be looked for by now; they are looked for again at `lookAgainAt`. */
    readonly holdDue: (
      hold: Hold,
      lookAgainAt: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DocumentUpload>, ServiceUnavailableError>
  }
>() {}
