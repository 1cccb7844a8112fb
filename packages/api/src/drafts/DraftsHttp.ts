import { HttpApiBuilder } from "@effect/platform"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { pageRequest } from "@switchboard/domain/Page"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { decodeBody } from "../http/body/RequestBody.js"
import { withBodies } from "../http/WithBodies.js"

/** Validates a draft by the rules of a send, with the same error texts. */
const decodeSend = decodeBody(SendRequest)

export const DraftsHttp = HttpApiBuilder.group(
  Api,
  "drafts",
  Effect.fnUntraced(function* (handlers) {
    const drafts = yield* Drafts
    return handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => drafts.list(organizationId, filters, pageRequest(params)))
      )
      .handle("create", ({ payload }) => Effect.flatMap(CurrentCaller, (caller) => drafts.create(caller, payload)))
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => drafts.get(organizationId, id))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => drafts.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(drafts.remove(organizationId, id), removed))
      )
      .handle("send", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, (caller) => drafts.send(caller, id, decodeSend))
      )
      .pipe(withBodies)
  })
)
