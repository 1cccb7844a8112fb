import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import {
  AddParticipants,
  ConversationFilters,
  CreateConversation,
  RemoveParticipants,
  UpdateConversation
} from "@switchboard/domain/conversations/ConversationRequests"
import { PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { ConversationId } from "@switchboard/domain/messages/Message"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Examples, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Filters } from "../Filters.js"
import { conversationExamples } from "./ConversationExamples.js"

const id = Schema.Struct({ id: ConversationId })

/** What a list of conversations may be narrowed to. */
export const ConversationListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ConversationFilters, { status: "active", tag: "orders" }))
})

export const ConversationPage = Page(Conversation).annotations({ identifier: "ConversationPage" })

/** Exchanges with people, over one or more channels. */
export class ConversationsApi extends HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list", "/conversations")
      .setUrlParams(ConversationListParams)
      .addSuccess(ConversationPage)
      .annotate(Permission, "conversations.read")
      .annotate(OpenApi.Summary, "List conversations")
      .annotate(
        OpenApi.Description,
        "Conversations of the organization, newest first. `search` looks into title and description; `participantId` finds those that somebody takes part in. The messages of one are listed by `GET /messages?conversationId=`."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/conversations")
      .setPayload(CreateConversation)
      .addSuccess(Conversation, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "conversations.write")
      .annotate(OpenApi.Summary, "Create a conversation")
      .annotate(
        OpenApi.Description,
        "Active, of priority 2, low urgency and simple, unless told otherwise; its primary channel is the first of its channels. A send that names it by `conversationId` belongs to it, and so do the replies to that. A participant or parent that the organization does not have answers 404."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/conversations/:id")
      .setPath(id)
      .addSuccess(Conversation)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "conversations.read")
      .annotate(OpenApi.Summary, "Get a conversation")
      .annotate(
        OpenApi.Description,
        "As it is now. `participantTracking` says who takes part, `metrics` how many messages there are and how soon they are answered."
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
        "Changes what is given; null takes away what need not be there. Any status may follow any other. With `resolved` it gets `resolvedAt`, `resolvedBy` (the key) and a `resolutionType` (`manual` unless given), which it keeps where it is archived, and loses where it goes on: by a change, or by a reply that a person writes. A `statusReason` is gone with its status. `parentConversationId` must not lead back to the conversation (422)."
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
        "Who takes part already does so once. Nobody joins if one of them is unknown (404). Whoever a message of the conversation is from or to joins by that."
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
        "Their messages stay. Nobody leaves if one of them is unknown (404); one who takes no part changes nothing."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, conversationExamples)
  .annotate(OpenApi.Title, "Conversations") {}
