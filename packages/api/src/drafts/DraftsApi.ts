import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Draft, DraftId } from "@switchboard/domain/drafts/Draft"
import { CreateDraft, DraftFilters, UpdateDraft } from "@switchboard/domain/drafts/DraftRequests"
import {
  ConflictError,
  ExternalServiceError,
  PayloadTooLargeError,
  PaymentRequiredError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { Message } from "@switchboard/domain/messages/Message"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { NoFields, Removed } from "../CommonShapes.js"
import { Filters } from "../Filters.js"
import { draftExamples } from "./DraftExamples.js"

const id = Schema.Struct({ id: DraftId })

/** What a list of drafts may be narrowed to. */
export const DraftListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(DraftFilters, { channel: "email", search: "offer" }))
})

export const DraftPage = Page(Draft).annotations({ identifier: "DraftPage" })

/** Messages that are being written. */
export class DraftsApi extends HttpApiGroup.make("drafts")
  .add(
    HttpApiEndpoint.get("list", "/drafts")
      .setUrlParams(DraftListParams)
      .addSuccess(DraftPage)
      .annotate(Permission, "drafts.read")
      .annotate(OpenApi.Summary, "List drafts")
      .annotate(
        OpenApi.Description,
        "Drafts of the organization, newest first, also those that were sent. `search` looks into title, subject and recipients."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/drafts")
      .setPayload(CreateDraft)
      .addSuccess(Draft, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "drafts.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a draft")
      .annotate(
        OpenApi.Description,
        [
          "An extension. Keeps what is written of a message so far, of any channel: it may lack whatever a send needs, and",
          "an address need not be complete. But it names no participant, template or attachment that the organization",
          "does not have (404). `content.body` is plain text, for an e-mail that has no `html` of its own; `content.ast` is",
          "an editor's, kept and never sent."
        ].join(" ")
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/drafts/:id")
      .setPath(id)
      .addSuccess(Draft)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "drafts.read")
      .annotate(OpenApi.Summary, "Retrieve a draft")
      .annotate(
        OpenApi.Description,
        "One draft as it is now. `sentMessageId`, an extension, is the message that it was sent as, if it was."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/drafts/:id")
      .setPath(id)
      .setPayload(UpdateDraft)
      .addSuccess(Draft)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "drafts.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Edit a draft")
      .annotate(
        OpenApi.Description,
        "An extension. Changes what is given: `recipients` and `content` take the place of all that there was, null takes the title away. A draft that was sent is not edited any more (409), nor one that is just being sent."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/drafts/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "drafts.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Delete a draft")
      .annotate(
        OpenApi.Description,
        "An extension. Removes a draft, sent or not: the message that it was sent as stays. Only while it is being sent it can't be removed (409)."
      )
  )
  .add(
    HttpApiEndpoint.post("send", "/drafts/:id/send")
      .setPath(id)
      .setPayload(NoFields)
      .addSuccess(Message, { status: 201 })
      .addError(ConflictError)
      .addError(ExternalServiceError)
      .addError(PayloadTooLargeError)
      .addError(PaymentRequiredError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "messages.send")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Send a draft")
      .annotate(
        OpenApi.Description,
        [
          "An extension. Sends what the draft says from the organization's default sender, as POST /messages does, once:",
          "the draft is closed in the moment in which the message is accepted, and sending it again is 409, however many",
          "try at the same time. A recipient gets the mail at `email`, or at the participant's address without one.",
          "`html` is sent, or what is made from `body`, or from `text`; `templateId`, or else `templateName`, names a",
          "template that `variables` fill. Empty texts count as not given. It is judged as any send: what is wrong is said",
          "by the draft's own fields (422, `recipients.0.email`, `content.subject`), as is a channel that is staged, and a",
          "refused draft stays as it is."
        ].join(" ")
      )
  )
  .middleware(Authorization)
  .annotate(Examples, draftExamples)
  .annotate(OpenApi.Title, "Drafts") {}
