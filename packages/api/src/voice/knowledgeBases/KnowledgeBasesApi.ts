import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { IntegerPageParams, Page } from "@switchboard/domain/Page"
import {
  CreateKnowledgeBase,
  KnowledgeBase,
  KnowledgeBaseFilters,
  KnowledgeBaseId,
  KnowledgeDocument,
  RequestUpload,
  UploadTarget
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { Schema } from "effect"
import { Audit, Extension, Location, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../../JsonParameter.js"

const id = Schema.Struct({ id: KnowledgeBaseId })

/** Query parameters of the list of knowledge bases. */
export const KnowledgeBaseListParams = Schema.Struct({
  ...IntegerPageParams,
  filters: Schema.optional(Filters(KnowledgeBaseFilters, { search: "shop" }))
})

export const KnowledgeBasePage = Page(KnowledgeBase).annotations({ identifier: "KnowledgeBasePage" })

export const KnowledgeDocumentPage = Page(KnowledgeDocument).annotations({ identifier: "KnowledgeDocumentPage" })

/** Knowledge bases of voice agents and their documents. */
export class KnowledgeBasesApi extends HttpApiGroup.make("knowledgeBases")
  .add(
    HttpApiEndpoint.get("list", "/voice/knowledge-bases")
      .setUrlParams(KnowledgeBaseListParams)
      .addSuccess(KnowledgeBasePage)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List knowledge bases")
      .annotate(OpenApi.Description, "Knowledge bases of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("create", "/voice/knowledge-bases")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateKnowledgeBase)
      .addSuccess(KnowledgeBase, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Location, "/v1/voice/knowledge-bases/:id")
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a knowledge base")
      .annotate(OpenApi.Description, "Creates a knowledge base without documents.")
  )
  .add(
    HttpApiEndpoint.get("get", "/voice/knowledge-bases/:id")
      .setPath(id)
      .addSuccess(KnowledgeBase)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a knowledge base")
      .annotate(OpenApi.Description, "`documentCount` counts the documents with the status `ready`.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/voice/knowledge-bases/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Delete a knowledge base")
      .annotate(
        OpenApi.Description,
        "Deletes the knowledge base and its documents, also in the object store. Upload links no longer work."
      )
  )
  .add(
    HttpApiEndpoint.get("documents", "/voice/knowledge-bases/:id/documents")
      .setPath(id)
      .setUrlParams(Schema.Struct(IntegerPageParams))
      .addSuccess(KnowledgeDocumentPage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List the documents of a knowledge base")
      .annotate(
        OpenApi.Description,
        "Documents, newest first. `pending_upload`: not uploaded yet. `ready`: uploaded. `failed`: not uploaded in time, or not as requested."
      )
  )
  .add(
    HttpApiEndpoint.post("requestUpload", "/voice/knowledge-bases/:knowledgeBaseId/upload-url")
      .setPath(Schema.Struct({ knowledgeBaseId: KnowledgeBaseId }))
      .setHeaders(IdempotencyHeaders)
      .setPayload(RequestUpload)
      .addSuccess(UploadTarget, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { withoutValues: "The response has a link that needs no key." })
      .annotate(Permission, "voice.write")
      .annotate(OpenApi.Summary, "Create an upload link for a document")
      .annotate(
        OpenApi.Description,
        [
          "Creates a document with the status `pending_upload`, and a URL for its upload.",
          "",
          "- The URL accepts one `PUT` within 15 minutes, with exactly this `Content-Type` and `Content-Length`. It needs no key.",
          "- `filename` has no folders, control characters or bidirectional formatting characters (422). It is never used as a path.",
          "- A repeated request with the same idempotency key returns the same document while its link is open. After that: 409.",
          "- With an S3 object store, the URL is a presigned URL of that store. The document becomes `ready` once it is found there."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Knowledge bases") {}
