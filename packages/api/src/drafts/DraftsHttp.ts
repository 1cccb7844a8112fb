import { HttpApiBuilder } from "@effect/platform"
import { Draft } from "@switchboard/domain/drafts/Draft"
import { CreateDraft, UpdateDraft } from "@switchboard/domain/drafts/DraftRequests"
import { Message } from "@switchboard/domain/messages/Message"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { pageRequest } from "@switchboard/domain/Page"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { decodeBody, readBody, readOptionalBody } from "../Door.js"
import { respond } from "../Respond.js"
import { NoFields, Removed } from "../Wire.js"
import { DraftPage } from "./DraftsApi.js"

const answerDraft = respond(Draft)
const answerCreated = respond(Draft, 201)
const answerPage = respond(DraftPage)
const answerRemoved = respond(Removed)
const answerSent = respond(Message, 201)

const readCreate = readBody(CreateDraft)
const readUpdate = readOptionalBody(UpdateDraft)
const readNothing = readOptionalBody(NoFields)

/** A draft is judged by the door that sends come through: its writer hears the same sentences. */
const judge = decodeBody(SendRequest)

export const DraftsHttp = HttpApiBuilder.group(
  Api,
  "drafts",
  Effect.fnUntraced(function* (handlers) {
    const drafts = yield* Drafts
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(drafts.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerCreated(yield* drafts.create(caller, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(drafts.get(organizationId, id), (found) => answerDraft(found))
        )
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerDraft(yield* drafts.update(organizationId, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(drafts.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("send", ({ path: { id } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          yield* readNothing
          return answerSent(yield* drafts.send(caller, id, judge))
        })
      )
  })
)
