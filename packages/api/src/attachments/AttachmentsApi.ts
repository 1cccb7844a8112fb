import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { UploadAttachment, UploadedAttachment } from "@switchboard/domain/attachments/UploadedAttachment"
import { ExternalServiceError, PayloadTooLargeError, ValidationError } from "@switchboard/domain/Errors"
import { attachmentBody, BodyLimit, Examples, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { attachmentExamples } from "./AttachmentExamples.js"

/** Files that go with drafts. */
export class AttachmentsApi extends HttpApiGroup.make("attachments")
  .add(
    HttpApiEndpoint.post("upload", "/attachments")
      .setPayload(UploadAttachment)
      .addSuccess(UploadedAttachment, { status: 201 })
      .addError(ExternalServiceError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "drafts.write")
      .annotate(BodyLimit, attachmentBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Upload an attachment for drafts")
      .annotate(
        OpenApi.Description,
        "An extension. Keeps a file, given as base64 and at most 25 MiB, that drafts name by its id in `attachmentIds`. What no draft names for 7 days is removed: so are the files of a draft that was removed or sent, whose message has copies of its own."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, attachmentExamples)
  .annotate(OpenApi.Title, "Attachments") {}
