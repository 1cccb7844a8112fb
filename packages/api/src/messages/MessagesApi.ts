import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
import {
  ApiError,
  ConflictError,
  ExternalServiceError,
  PayloadTooLargeError,
  PaymentRequiredError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { RecipientParameter } from "@switchboard/domain/email/EmailAddress"
import { MessageAttachments } from "@switchboard/domain/email/records/EmailRecord"
import { Channel, ConversationId, Message, MessageId, MessageTimeline } from "@switchboard/domain/messages/Message"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import { Page, PageParams } from "@switchboard/domain/Page"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { IndexedSearchText } from "@switchboard/domain/Search"
import { text } from "@switchboard/domain/Text"
import { Schema } from "effect"
import {
  Audit,
  attachmentBody,
  auditReasons,
  BodyLimit,
  EncodedAsIs,
  Extension,
  Location,
  Permission
} from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { NoFields, Removed } from "../CommonShapes.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"

const id = Schema.Struct({ id: MessageId })

/** Query parameters of the list of messages. */
export const ListParams = Schema.Struct({
  ...PageParams,
  channel: Schema.optional(Channel),
  status: Schema.optional(MessageStatus),
  conversationId: Schema.optional(ConversationId),
  participantId: Schema.optional(ParticipantId),
  recipient: Schema.optional(RecipientParameter),
  externalId: Schema.optional(text(1, 255)),
  referenceId: Schema.optional(text(1, 255)),
  tag: Schema.optional(text(1, 100)),
  search: Schema.optional(IndexedSearchText),
  ...DateRangeParams
})

export const MessagePage = Page(Message).annotations({ identifier: "MessagePage" })

export const maxBatchSize = 100

/** The body of a batch of sends. */
export const BatchRequest = Schema.Struct({
  messages: Schema.Array(SendRequest)
    .pipe(Schema.minItems(1), Schema.maxItems(maxBatchSize))
    .annotations({ title: "the sends", description: `1 to ${maxBatchSize} sends, each validated separately` })
}).annotations({ identifier: "BatchRequest" })

/** The result of each send of a batch, in the order of the request. */
export const BatchResult = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      status: Schema.Number.annotations({
        description: "the HTTP status that a separate request for this send would have"
      }),
      message: Schema.optional(Message),
      error: Schema.optional(ApiError)
    })
  )
}).annotations({ identifier: "BatchResult" })

/** Sending, finding and tracking of messages. */
export class MessagesApi extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.get("list", "/messages")
      .setUrlParams(ListParams)
      .addSuccess(MessagePage)
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "List messages")
      .annotate(
        OpenApi.Description,
        "Messages of the organization, newest first. All filters that are given must match. `recipient`, `externalId`, `referenceId`, `tag` and `search` are extensions."
      )
  )
  .add(
    HttpApiEndpoint.post("send", "/messages")
      .setHeaders(IdempotencyHeaders)
      .setPayload(SendRequest)
      .addSuccess(Message, { status: 201 })
      .addError(ConflictError)
      .addError(ExternalServiceError)
      .addError(PayloadTooLargeError)
      .addError(PaymentRequiredError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.send })
      .annotate(Location, "/v1/messages/:id")
      .annotate(EncodedAsIs, true)
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(OpenApi.Summary, "Send a message")
      .annotate(
        OpenApi.Description,
        [
          "Accepts a message for delivery. 201 means that it is stored and will be delivered at least once.",
          "",
          "- **Repeats:** the same idempotency key with the same request returns the first message, with `Idempotent-Replayed: true`. With another request: 409.",
          "- **Templates:** with `templateId`, the template supplies the parts that are not given inline, from `templateData`. A missing required variable is 422 (`templateData.NAME`). The plain text of a template is used only with its HTML.",
          "- **Blocks:** a recipient with a block on all mail, or on one of the `categories`, is skipped (delivery `suppressed`).",
          "- **Marketing:** with the category `marketing`, each recipient gets a separate copy that names no other recipient. It has an unsubscribe link and a one-click unsubscribe header (RFC 8058) for the categories of the message except `transactional`.",
          "- **Open tracking:** with `trackOpens`, each recipient gets a separate copy with a tracking image at the end of its HTML. The first recipient who opens it makes the message `read`.",
          "- **Message-ID:** all copies of a message have the same `Message-ID`.",
          "- **Conversations:** with `conversationId`, the message and its replies join that conversation, and so do their participants.",
          "- **502:** a provider that must respond before the message is accepted failed. The message is not accepted."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("batch", "/messages/batch")
      .setHeaders(IdempotencyHeaders)
      .setPayload(BatchRequest)
      .addSuccess(BatchResult)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.send })
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Send up to 100 messages")
      .annotate(
        OpenApi.Description,
        [
          "Validates and accepts each send separately: a send that fails does not affect the others.",
          "",
          "- **Repeats:** the same `Idempotency-Key` with the same batch returns the messages of the first one, with `Idempotent-Replayed: true`. Sends that were not accepted are tried again. With another batch: 409.",
          "- A send with an `idempotencyKey` of its own keeps it."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/messages/:id")
      .setPath(id)
      .addSuccess(Message)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "Retrieve a message")
      .annotate(
        OpenApi.Description,
        "Returns the current status, the earlier statuses and the delivery to each recipient."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/messages/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Audit, { withoutValues: auditReasons.content })
      .annotate(Permission, "messages.delete")
      .annotate(OpenApi.Summary, "Delete a message record")
      .annotate(
        OpenApi.Description,
        "Erases content and recipients. A message that is not sent yet is cancelled. Usage, events and the idempotency key stay."
      )
  )
  .add(
    HttpApiEndpoint.get("timeline", "/messages/:id/timeline")
      .setPath(id)
      .addSuccess(MessageTimeline)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "Retrieve the timeline of a message")
      .annotate(OpenApi.Description, "Events of the message, oldest first.")
  )
  .add(
    HttpApiEndpoint.get("attachments", "/messages/:id/attachments")
      .setPath(id)
      .addSuccess(MessageAttachments)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List the files of a message")
      .annotate(
        OpenApi.Description,
        "Files that were sent or received with a message, of any channel. Each has a download link that needs no key, valid for 15 minutes. Repeat the request for a new link."
      )
  )
  .add(
    HttpApiEndpoint.post("cancel", "/messages/:id/cancel")
      .setPath(id)
      .addSuccess(Message)
      .addError(ResourceNotFoundError)
      .addError(ConflictError)
      .annotate(Audit, { withoutValues: auditReasons.history })
      .annotate(EncodedAsIs, true)
      .annotate(Permission, "messages.send")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Cancel a scheduled message")
      .annotate(OpenApi.Description, "Only a message with the status `scheduled` can be cancelled. Otherwise: 409.")
  )
  .add(
    HttpApiEndpoint.post("resend", "/messages/:id/resend")
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
      .annotate(EncodedAsIs, true)
      .annotate(Permission, "messages.send")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Send a message again")
      .annotate(
        OpenApi.Description,
        [
          "Accepts a new message with the content, attachments, recipients and thread of an outbound message. It is sent at once.",
          "",
          "- The rules of `POST /messages` apply: sender, plan, rates, and blocks of recipients.",
          "- Idempotency keys are shared with `POST /messages`. Without a key, a repeat within a minute (`DEDUPE_WINDOW`) returns the first new message, with `Idempotent-Replayed: true`.",
          "- 409: the message was received, or its content was erased."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Messages") {}
