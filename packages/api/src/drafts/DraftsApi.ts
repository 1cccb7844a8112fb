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
import { IntegerPageParams, Page } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, auditReasons, Extension, Location, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { NoFields, Removed } from "../CommonShapes.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../JsonParameter.js"

const id = Schema.Struct({ id: DraftId })

/** Query parameters of the list of drafts. */
export const DraftListParams = Schema.Struct({
  ...IntegerPageParams,
  filters: Schema.optional(Filters(DraftFilters, { channel: "email", search: "offer" }))
})

export const DraftPage = Page(Draft).annotations({ identifier: "DraftPage" })

/** Unfinished messages. */
export class DraftsApi extends HttpApiGroup.make("drafts")
  .add(
    HttpApiEndpoint.get("list", "/drafts")
      .setUrlParams(DraftListParams)
      .addSuccess(DraftPage)
      .annotate(Permission, "drafts.read")
      .annotate(OpenApi.Summary, "List drafts")
      .annotate(OpenApi.Description, "Drafts of the organization, newest first, including sent ones.")
  )
  .add(
    HttpApiEndpoint.post("create", "/drafts")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateDraft)
      .addSuccess(Draft, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { withoutValues: auditReasons.content })
      .annotate(Location, "/v1/drafts/:id")
      .annotate(Permission, "drafts.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a draft")
      .annotate(
        OpenApi.Description,
        [
          "Stores an unfinished message of any channel. Fields required by a send can be missing, and addresses can be incomplete.",
          "",
          "- 404: a participant, template, attachment or message does not exist.",
          "- With `inReplyToMessageId` the e-mail joins the thread of that message.",
          "- `content.body` is plain text, for an e-mail without `html`.",
          "- `content.ast` is the content in the format of an editor. It is stored and never sent."
        ].join("\n")
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
        "Returns the draft. `sentMessageId` (an extension) is the message that it was sent as."
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
      .annotate(Audit, { withoutValues: auditReasons.content })
      .annotate(Permission, "drafts.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Update a draft")
      .annotate(
        OpenApi.Description,
        "Changes the given fields. `recipients` and `content` are replaced completely; `null` removes `title` or `inReplyToMessageId`. 409: the draft is sent, or being sent."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/drafts/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Audit, { withoutValues: auditReasons.content })
      .annotate(Permission, "drafts.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Delete a draft")
      .annotate(
        OpenApi.Description,
        "Deletes the draft, sent or not. The sent message stays. 409: the draft is being sent."
      )
  )
  .add(
    HttpApiEndpoint.post("send", "/drafts/:id/send")
      .setPath(id)
      .setHeaders(IdempotencyHeaders)
      .setPayload(NoFields)
      .addSuccess(Message, { status: 201 })
      .addError(ConflictError)
      .addError(ExternalServiceError)
      .addError(PayloadTooLargeError)
      .addError(PaymentRequiredError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.send })
      .annotate(Location, "/v1/messages/:id")
      .annotate(Permission, "messages.send")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Send a draft")
      .annotate(
        OpenApi.Description,
        [
          "Sends the draft once, from the organization's default sender, as `POST /messages` does.",
          "",
          "- Accepting the message closes the draft. Another send is 409, also at the same time; the error names the message. After a lost response, send again with the same `Idempotency-Key`, or read `sentMessageId` of the draft.",
          "- 404 also if the message that it replies to was deleted: remove `inReplyToMessageId` to send it as a new message.",
          "- A recipient gets the e-mail at `email`, or at the address of its participant.",
          "- The e-mail has `html`, otherwise HTML made from `body` or from `text`. `templateId`, otherwise `templateName`, names a template; `variables` supplies its data. Empty texts count as missing.",
          "- 422 names the fields of the draft, for example `recipients.0.email`. Only the channel `email` can be sent today. A rejected draft stays unchanged."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Drafts") {}
