import { HttpApiBuilder } from "@effect/platform"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { pageRequest } from "@switchboard/domain/Page"
import { VoiceAgent } from "@switchboard/domain/voice/agents/VoiceAgent"
import {
  CreateVoiceAgent,
  DuplicateVoiceAgent,
  UpdateVoiceAgent
} from "@switchboard/domain/voice/agents/VoiceAgentRequests"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody, readOptionalBody } from "../../Door.js"
import { respond } from "../../Respond.js"
import { Removed } from "../../Wire.js"
import { VoiceAgentPage } from "./VoiceAgentsApi.js"

const answerAgent = respond(VoiceAgent)
const answerCreated = respond(VoiceAgent, 201)
const answerPage = respond(VoiceAgentPage)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateVoiceAgent)
const readUpdate = readOptionalBody(UpdateVoiceAgent)
const readDuplicate = readOptionalBody(DuplicateVoiceAgent)

/** Who may change headers may see what they say. */
const reader = Effect.map(CurrentCaller, ({ organizationId, permissions }) => ({
  organizationId,
  view: { withHeaders: permits(permissions, "voice.write") }
}))

export const VoiceAgentsHttp = HttpApiBuilder.group(
  Api,
  "voiceAgents",
  Effect.fnUntraced(function* (handlers) {
    const agents = yield* VoiceAgents
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.gen(function* () {
          const { organizationId, view } = yield* reader
          return answerPage(yield* agents.list(organizationId, filters, pageRequest(params), view))
        })
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* agents.create(organizationId, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId, view } = yield* reader
          return answerAgent(yield* agents.get(organizationId, id, view))
        })
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerAgent(yield* agents.update(organizationId, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(agents.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("duplicate", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* agents.duplicate(organizationId, id, yield* readDuplicate))
        })
      )
  })
)
