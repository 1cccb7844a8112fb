import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Participants } from "@switchboard/services/participants/Participants"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

export const ParticipantsHttp = HttpApiBuilder.group(
  Api,
  "participants",
  Effect.fnUntraced(function* (handlers) {
    const participants = yield* Participants
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          participants.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => participants.create(organizationId, payload),
          (id, { organizationId }) => participants.get(organizationId, ParticipantId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => participants.get(organizationId, id))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => participants.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.as(participants.remove(organizationId, id), removed)
        )
      )
      .pipe(withBodies)
  })
)
