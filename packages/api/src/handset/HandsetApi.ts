import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { HandsetAnswer, HandsetReply, HandsetText, HandsetTextId } from "@switchboard/domain/handset/HandsetText"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, auditReasons, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"

export const HandsetPage = Page(HandsetText).annotations({ identifier: "HandsetPage" })

/** Texts of the local handset, which is used without an SMS provider. */
export class HandsetApi extends HttpApiGroup.make("handset")
  .add(
    HttpApiEndpoint.get("list", "/handset")
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(HandsetPage)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List the local handset")
      .annotate(OpenApi.Description, "Texts of the organization in the local handset, newest first.")
  )
  .add(
    HttpApiEndpoint.get("get", "/handset/:id")
      .setPath(Schema.Struct({ id: HandsetTextId }))
      .addSuccess(HandsetText)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a text of the local handset")
      .annotate(OpenApi.Description, "Returns the text as received, with its parts joined.")
  )
  .add(
    HttpApiEndpoint.post("reply", "/handset/:id/reply")
      .setPath(Schema.Struct({ id: HandsetTextId }))
      .setHeaders(IdempotencyHeaders)
      .setPayload(HandsetReply)
      .addSuccess(HandsetAnswer, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.sandbox })
      .annotate(Permission, "messages.send")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Reply to a text of the local handset")
      .annotate(
        OpenApi.Description,
        [
          "Simulates the recipient. The reply is sent from the phone to the number that sent the text, over SMPP or by a callback of WhatsApp:",
          "",
          "- A long reply over SMPP is sent in parts.",
          "- 422: a reply over SMPP cannot have a file.",
          "- 201 means that this service took all parts. The message appears in its conversation shortly after.",
          "- 409: the text has an alphanumeric sender id, which cannot receive a reply.",
          "- 503: no session with the local handset is open, or this service could not store the reply."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Local handset") {}
