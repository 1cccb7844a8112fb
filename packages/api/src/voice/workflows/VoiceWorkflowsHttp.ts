import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { VoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { CreateVoiceWorkflow, UpdateVoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflowRequests"
import { VoiceWorkflows } from "@switchboard/services/voice/workflows/VoiceWorkflows"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody, readOptionalBody } from "../../Door.js"
import { respond } from "../../Respond.js"
import { NoFields, Removed } from "../../Wire.js"
import { VoiceWorkflowPage } from "./VoiceWorkflowsApi.js"

const answerWorkflow = respond(VoiceWorkflow)
const answerCreated = respond(VoiceWorkflow, 201)
const answerPage = respond(VoiceWorkflowPage)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateVoiceWorkflow)
const readUpdate = readOptionalBody(UpdateVoiceWorkflow)
const readNothing = readOptionalBody(NoFields)

export const VoiceWorkflowsHttp = HttpApiBuilder.group(
  Api,
  "voiceWorkflows",
  Effect.fnUntraced(function* (handlers) {
    const workflows = yield* VoiceWorkflows
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(workflows.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* workflows.create(organizationId, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(workflows.get(organizationId, id), (found) => answerWorkflow(found))
        )
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerWorkflow(yield* workflows.update(organizationId, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(workflows.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("publish", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          yield* readNothing
          return answerWorkflow(yield* workflows.publish(organizationId, id))
        })
      )
      .handleRaw("link", ({ path: { agentId, workflowId } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          yield* readNothing
          return answerWorkflow(yield* workflows.link(organizationId, workflowId, agentId))
        })
      )
  })
)
