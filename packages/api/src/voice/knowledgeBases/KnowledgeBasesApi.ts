import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import {
  KnowledgeBase,
  KnowledgeBaseId,
  KnowledgeDocument
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import {
  CreateKnowledgeBase,
  KnowledgeBaseFilters,
  RequestUpload,
  UploadTarget
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBaseRequests"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { knowledgeBaseExamples } from "./KnowledgeBaseExamples.js"

const id = Schema.Struct({ id: KnowledgeBaseId })

/** What a list of knowledge bases may be narrowed to. */
export const KnowledgeBaseListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(KnowledgeBaseFilters, { search: "shop" }))
})

export const KnowledgeBasePage = Page(KnowledgeBase).annotations({ identifier: "KnowledgeBasePage" })

export const KnowledgeDocumentPage = Page(KnowledgeDocument).annotations({ identifier: "KnowledgeDocumentPage" })

/** What voice agents can be told. */
export class KnowledgeBasesApi extends HttpApiGroup.make("knowledgeBases")
  .add(
    HttpApiEndpoint.get("list", "/voice/knowledge-bases")
      .setUrlParams(KnowledgeBaseListParams)
      .addSuccess(KnowledgeBasePage)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List knowledge bases")
      .annotate(OpenApi.Description, "An extension. Knowledge bases of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("create", "/voice/knowledge-bases")
      .setPayload(CreateKnowledgeBase)
      .addSuccess(KnowledgeBase, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a knowledge base")
      .annotate(OpenApi.Description, "An extension. Stores a knowledge base without documents.")
  )
  .add(
    HttpApiEndpoint.get("get", "/voice/knowledge-bases/:id")
      .setPath(id)
      .addSuccess(KnowledgeBase)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a knowledge base")
      .annotate(OpenApi.Description, "An extension. `documentCount` counts the documents that are `ready`.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/voice/knowledge-bases/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Remove a knowledge base")
      .annotate(
        OpenApi.Description,
        "An extension. Its documents go with it, also from the object store; links to upload to it take nothing any more."
      )
  )
  .add(
    HttpApiEndpoint.get("documents", "/voice/knowledge-bases/:id/documents")
      .setPath(id)
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(KnowledgeDocumentPage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "voice.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List the documents of a knowledge base")
      .annotate(
        OpenApi.Description,
        "An extension. Newest first. A document is `pending_upload` until it is uploaded, then `ready`; it is `failed` if nothing came in time, or something else than was asked for."
      )
  )
  .add(
    HttpApiEndpoint.post("requestUpload", "/voice/knowledge-bases/:knowledgeBaseId/upload-url")
      .setPath(Schema.Struct({ knowledgeBaseId: KnowledgeBaseId }))
      .setPayload(RequestUpload)
      .addSuccess(UploadTarget, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "voice.write")
      .annotate(OpenApi.Summary, "Get a URL to upload a document to")
      .annotate(
        OpenApi.Description,
        [
          "Makes a document that is `pending_upload`, and a URL that takes it: one `PUT` within 15 minutes, without a key,",
          "with exactly this `Content-Type` and `Content-Length`. The file's name is kept and never used as a path: it has",
          "no folders, no control characters, and nothing that turns the direction of text (422). With an object store of",
          "the operator's (S3) the URL is one of its own, signed for this length and type; the document is `ready` once it",
          "is found there."
        ].join(" ")
      )
  )
  .middleware(Authorization)
  .annotate(Examples, knowledgeBaseExamples)
  .annotate(OpenApi.Title, "Knowledge bases") {}
