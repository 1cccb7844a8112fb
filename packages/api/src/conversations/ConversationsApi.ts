import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import {
  AddParticipants,
  ConversationFilters,
  CreateConversation,
  RemoveParticipants,
  UpdateConversation
} from "@switchboard/domain/conversations/ConversationRequests"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { ConversationId } from "@switchboard/domain/messages/Message"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Location, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../JsonParameter.js"

const id = Schema.Struct({ id: ConversationId })

/** Query parameters of the list of conversations. */
export const ConversationListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ConversationFilters, { status: "active", tag: "orders" }))
})

export const ConversationPage = Page(Conversation).annotations({ identifier: "ConversationPage" })

/** Conversations with participants, over one or more channels. */
export class ConversationsApi extends HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list", "/conversations")
      .setUrlParams(ConversationListParams)
      .addSuccess(ConversationPage)
      .annotate(Permission, "conversations.read")
      .annotate(OpenApi.Summary, "List conversations")
      .annotate(
        OpenApi.Description,
        "Conversations of the organization, newest first. `GET /messages?conversationId=` lists the messages of one."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/conversations")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateConversation)
      .addSuccess(Conversation, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Location, "/v1/conversations/:id")
      .annotate(Permission, "conversations.write")
      .annotate(OpenApi.Summary, "Create a conversation")
      .annotate(
        OpenApi.Description,
        "Messages sent with its id as `conversationId`, and their replies, join it. 404: a participant or the parent conversation does not exist."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/conversations/:id")
      .setPath(id)
      .addSuccess(Conversation)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "conversations.read")
      .annotate(OpenApi.Summary, "Retrieve a conversation")
      .annotate(
        OpenApi.Description,
        "`participantTracking` has the participants, `metrics` the number of messages and the response time."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/conversations/:id")
      .setPath(id)
      .setPayload(UpdateConversation)
      .addSuccess(Conversation)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "conversations.write")
      .annotate(OpenApi.Summary, "Update a conversation")
      .annotate(
        OpenApi.Description,
        [
          "Changes the given fields. `null` resets a field that a creation may omit.",
          "",
          "- Any status can follow any other. A new status removes `statusReason`.",
          "- `resolved` sets `resolvedAt`, `resolvedBy` (the key) and `resolutionType` (default: `manual`). They stay when the conversation is archived. They are removed when it becomes active again: by an update, or by a reply that a person wrote.",
          "- 422: `parentConversationId` would create a cycle."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("addParticipants", "/conversations/:id/participants")
      .setPath(id)
      .setPayload(AddParticipants)
      .addSuccess(Conversation)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "conversations.write")
      .annotate(OpenApi.Summary, "Add participants to a conversation")
      .annotate(
        OpenApi.Description,
        "Existing participants stay. 404: one of the participants does not exist; no participant is added. Authors and recipients of messages join automatically."
      )
  )
  .add(
    HttpApiEndpoint.del("removeParticipants", "/conversations/:id/participants")
      .setPath(id)
      .setPayload(RemoveParticipants)
      .addSuccess(Conversation)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "conversations.write")
      .annotate(OpenApi.Summary, "Remove participants from a conversation")
      .annotate(
        OpenApi.Description,
        "Their messages stay. 404: one of the participants does not exist; no participant is removed. Ids of other participants are ignored."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Conversations") {}
