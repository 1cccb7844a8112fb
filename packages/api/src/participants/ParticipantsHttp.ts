import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { Participant } from "@switchboard/domain/participants/Participant"
import { CreateParticipant, UpdateParticipant } from "@switchboard/domain/participants/ParticipantRequests"
import { Participants } from "@switchboard/services/participants/Participants"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { readBody, readOptionalBody } from "../Door.js"
import { respond } from "../Respond.js"
import { Removed } from "../Wire.js"
import { ParticipantPage } from "./ParticipantsApi.js"

const answerParticipant = respond(Participant)
const answerCreated = respond(Participant, 201)
const answerPage = respond(ParticipantPage)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateParticipant)
const readUpdate = readOptionalBody(UpdateParticipant)

export const ParticipantsHttp = HttpApiBuilder.group(
  Api,
  "participants",
  Effect.fnUntraced(function* (handlers) {
    const participants = yield* Participants
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(participants.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* participants.create(organizationId, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(participants.get(organizationId, id), (found) => answerParticipant(found))
        )
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerParticipant(yield* participants.update(organizationId, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(participants.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
  })
)
