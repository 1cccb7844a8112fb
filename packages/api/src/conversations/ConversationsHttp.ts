import { HttpApiBuilder } from "@effect/platform"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import {
  AddParticipants,
  CreateConversation,
  RemoveParticipants,
  UpdateConversation
} from "@switchboard/domain/conversations/ConversationRequests"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import { pageRequest } from "@switchboard/domain/Page"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { Effect, type Schema } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { invalid, readBody, readOptionalBody } from "../Door.js"
import { respond } from "../Respond.js"
import { ConversationPage } from "./ConversationsApi.js"

const answerConversation = respond(Conversation)
const answerCreated = respond(Conversation, 201)
const answerPage = respond(ConversationPage)

const readCreate = readBody(CreateConversation)
const readUpdate = readOptionalBody(UpdateConversation)

/** Whom a body names that may repeat the path's own id. */
const readParticipants = <A extends typeof RemoveParticipants.Type, I>(schema: Schema.Schema<A, I>) => {
  const read = readBody(schema)
  return (id: ConversationId) =>
    Effect.flatMap(read, (given) =>
      given.id === undefined || given.id === id
        ? Effect.succeed(given.participantIds)
        : invalid({ id: ["must be the same as in the path"] })
    )
}
const readJoining = readParticipants(AddParticipants)
const readLeaving = readParticipants(RemoveParticipants)

export const ConversationsHttp = HttpApiBuilder.group(
  Api,
  "conversations",
  Effect.fnUntraced(function* (handlers) {
    const conversations = yield* Conversations
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(conversations.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerCreated(yield* conversations.create(caller, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(conversations.get(organizationId, id), (found) => answerConversation(found))
        )
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerConversation(yield* conversations.update(caller, id, yield* readUpdate))
        })
      )
      .handleRaw("addParticipants", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerConversation(yield* conversations.addParticipants(organizationId, id, yield* readJoining(id)))
        })
      )
      .handleRaw("removeParticipants", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerConversation(yield* conversations.removeParticipants(organizationId, id, yield* readLeaving(id)))
        })
      )
  })
)
