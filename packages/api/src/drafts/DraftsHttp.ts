import { HttpApiBuilder } from "@effect/platform"
import { DraftId } from "@switchboard/domain/drafts/Draft"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { pageRequest } from "@switchboard/domain/Page"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { decodeBody } from "../http/body/DecodeBody.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

/** Validates a draft by the rules of a send, with the same error texts. */
const decodeSend = decodeBody(SendRequest)

export const DraftsHttp = HttpApiBuilder.group(
  Api,
  "drafts",
  Effect.fnUntraced(function* (handlers) {
    const drafts = yield* Drafts
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => drafts.list(organizationId, filters, pageRequest(params)))
      )
      .handle(
        "create",
        once(
          ({ payload }, caller) => drafts.create(caller, payload),
          (id, { organizationId }) => drafts.get(organizationId, DraftId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => drafts.get(organizationId, id))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => drafts.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(drafts.remove(organizationId, id), removed))
      )
      .handle(
        "send",
        once(
          ({ path: { id } }, caller) => drafts.send(caller, id, decodeSend),
          (id, { organizationId }) => drafts.sentMessage(organizationId, DraftId.make(id))
        )
      )
      .pipe(withBodies)
  })
)
