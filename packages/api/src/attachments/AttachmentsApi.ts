import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AttachmentId, UploadAttachment, UploadedAttachment } from "@switchboard/domain/attachments/UploadedAttachment"
import {
  ConflictError,
  ExternalServiceError,
  PayloadTooLargeError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { Schema } from "effect"
import { Audit, attachmentBody, BodyLimit, Extension, Location, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"

/** Uploaded files of drafts. */
export class AttachmentsApi extends HttpApiGroup.make("attachments")
  .add(
    HttpApiEndpoint.post("upload", "/attachments")
      .setHeaders(IdempotencyHeaders)
      .setPayload(UploadAttachment)
      .addSuccess(UploadedAttachment, { status: 201 })
      .addError(ConflictError)
      .addError(ExternalServiceError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: "The file is deleted unless a message or a draft refers to it." })
      .annotate(Permission, "drafts.write")
      .annotate(BodyLimit, attachmentBody)
      .annotate(Location, "/v1/attachments/:id")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Upload an attachment for drafts")
      .annotate(
        OpenApi.Description,
        "Stores a file of at most 25 MiB, given in base64. Drafts refer to it in `attachmentIds`. A file that no draft refers to for 7 days is deleted, including the files of deleted and sent drafts. A sent message has its own copies."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/attachments/:id")
      .setPath(Schema.Struct({ id: AttachmentId }))
      .addSuccess(UploadedAttachment)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "drafts.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve an attachment of drafts")
      .annotate(OpenApi.Description, "Returns the name, type and size of an uploaded file, without its content.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Attachments") {}
