import { HttpApiBuilder } from "@effect/platform"
import type { RemoveParticipants } from "@switchboard/domain/conversations/ConversationRequests"
import { ConversationId } from "@switchboard/domain/messages/Message"
import { pageRequest } from "@switchboard/domain/Page"
import { Conversations } from "@switchboard/services/conversations/Conversations"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { invalid } from "../http/body/DecodeBody.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

/** The participants of a body. Its optional id must equal the id of the path. */
const participantsOf = (id: ConversationId, payload: typeof RemoveParticipants.Type) =>
  payload.id === undefined || payload.id === id
    ? Effect.succeed(payload.participantIds)
    : invalid({ id: ["must be the same as in the path"] })

export const ConversationsHttp = HttpApiBuilder.group(
  Api,
  "conversations",
  Effect.fnUntraced(function* (handlers) {
    const conversations = yield* Conversations
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          conversations.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle(
        "create",
        once(
          ({ payload }, caller) => conversations.create(caller, payload),
          (id, { organizationId }) => conversations.get(organizationId, ConversationId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => conversations.get(organizationId, id))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, (caller) => conversations.update(caller, id, payload))
      )
      .handle("addParticipants", ({ path: { id }, payload }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return yield* conversations.addParticipants(organizationId, id, yield* participantsOf(id, payload))
        })
      )
      .handle("removeParticipants", ({ path: { id }, payload }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return yield* conversations.removeParticipants(organizationId, id, yield* participantsOf(id, payload))
        })
      )
      .pipe(withBodies)
  })
)
