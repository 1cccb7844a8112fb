import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ApiError,
  ConflictError,
  PayloadTooLargeError,
  PaymentRequiredError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { IsoDateTimeOrDate } from "@switchboard/domain/IsoDateTime"
import { Channel, ConversationId, Message, MessageId, MessageTimeline } from "@switchboard/domain/messages/Message"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import { Page, PageParams } from "@switchboard/domain/Page"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Schema } from "effect"
import { attachmentBody, BodyLimit, Credentials, EncodedAsIs, Examples, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Removed } from "../CommonShapes.js"
import { IdempotencyKeyHeader } from "./IdempotencyKeyHeader.js"
import { messageExamples } from "./MessageExamples.js"

const id = Schema.Struct({ id: MessageId })

/** What a list of messages may be narrowed to. */
export const ListParams = Schema.Struct({
  ...PageParams,
  channel: Schema.optional(Channel),
  status: Schema.optional(MessageStatus),
  conversationId: Schema.optional(ConversationId),
  participantId: Schema.optional(ParticipantId),
  startDate: Schema.optional(IsoDateTimeOrDate),
  endDate: Schema.optional(IsoDateTimeOrDate)
})

export const MessagePage = Page(Message).annotations({ identifier: "MessagePage" })

export const mostInBatch = 100

/** Up to a hundred sends. */
export const BatchRequest = Schema.Struct({
  messages: Schema.Array(SendRequest)
    .pipe(Schema.minItems(1), Schema.maxItems(mostInBatch))
    .annotations({ title: "the sends", description: `1 to ${mostInBatch} sends, each judged by itself` })
}).annotations({ identifier: "BatchRequest" })

/** What became of each send of a batch, in their order. */
export const BatchResult = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      status: Schema.Number.annotations({ description: "the HTTP status that this send would have answered alone" }),
      message: Schema.optional(Message),
      error: Schema.optional(ApiError)
    })
  )
}).annotations({ identifier: "BatchResult" })

/** Sending messages and following them. */
export class MessagesApi extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.get("list", "/messages")
      .setUrlParams(ListParams)
      .addSuccess(MessagePage)
      .annotate(EncodedAsIs, true)
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "List messages")
      .annotate(OpenApi.Description, "Messages of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("send", "/messages")
      .setHeaders(Schema.Struct({ "idempotency-key": Schema.optional(IdempotencyKeyHeader) }))
      .setPayload(SendRequest)
      .addSuccess(Message, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(PaymentRequiredError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(EncodedAsIs, true)
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(OpenApi.Summary, "Send a message")
      .annotate(
        OpenApi.Description,
        "Accepts a message for delivery: 201 means that it is stored and will be delivered at least once. The same idempotency key with the same request answers the original message with `Idempotent-Replayed: true`; with another request 409. With `templateId` the parts that are not given inline come from the template and `templateData` (422 `templateData.NAME` for a required name that it lacks, 422 `templateData` where there is no template); a template's text goes with its HTML, never beside an inline one. Mail of the category `marketing` goes to each recipient alone, who is the only one it names, with a link and a header (RFC 8058) by which they unsubscribe with one click from the message's categories except `transactional`. A recipient with a block on any of the `categories`, or on all mail, is skipped (delivery `suppressed`). With `trackOpens` each recipient gets a mail of their own too, which names all: an image at the end of its HTML tells who has opened it, and the first who does makes the message `read`. All mails of a message have its one `Message-ID`. With `conversationId` the message belongs to that conversation, as replies to it will, and everyone whom it is from or to takes part in that."
      )
  )
  .add(
    HttpApiEndpoint.post("batch", "/messages/batch")
      .setPayload(BatchRequest)
      .addSuccess(BatchResult)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Send up to a hundred messages")
      .annotate(OpenApi.Description, "An extension. Each send is judged by itself: one that fails fails alone.")
  )
  .add(
    HttpApiEndpoint.get("get", "/messages/:id")
      .setPath(id)
      .addSuccess(Message)
      .addError(ResourceNotFoundError)
      .annotate(EncodedAsIs, true)
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "Retrieve a message")
      .annotate(
        OpenApi.Description,
        "One message as it is now: its status, how it came to it, and how far each recipient's copy got."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/messages/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "messages.delete")
      .annotate(OpenApi.Summary, "Delete a message record")
      .annotate(
        OpenApi.Description,
        "Erases content and recipients; a message that was not sent yet is withdrawn. Usage, events and the idempotency key stay."
      )
  )
  .add(
    HttpApiEndpoint.get("timeline", "/messages/:id/timeline")
      .setPath(id)
      .addSuccess(MessageTimeline)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "Follow a message")
      .annotate(OpenApi.Description, "Everything that is known to have happened to a message, oldest first.")
  )
  .add(
    HttpApiEndpoint.post("cancel", "/messages/:id/cancel")
      .setPath(id)
      .addSuccess(Message)
      .addError(ResourceNotFoundError)
      .addError(ConflictError)
      .annotate(EncodedAsIs, true)
      .annotate(Permission, "messages.send")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Cancel a scheduled message")
      .annotate(OpenApi.Description, "An extension. Only a message that is still `scheduled` can be cancelled.")
  )
  .middleware(Authorization)
  .annotate(Credentials, ["apiKey", "session"])
  .annotate(Examples, messageExamples)
  .annotate(OpenApi.Title, "Messages") {}
