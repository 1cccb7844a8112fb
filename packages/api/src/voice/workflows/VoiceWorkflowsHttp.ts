import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { VoiceWorkflows } from "@switchboard/services/voice/workflows/VoiceWorkflows"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"

export const VoiceWorkflowsHttp = HttpApiBuilder.group(
  Api,
  "voiceWorkflows",
  Effect.fnUntraced(function* (handlers) {
    const workflows = yield* VoiceWorkflows
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          workflows.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => workflows.create(organizationId, payload),
          (id, { organizationId }) => workflows.get(organizationId, VoiceWorkflowId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => workflows.get(organizationId, id))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => workflows.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(workflows.remove(organizationId, id), removed))
      )
      .handle("publish", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => workflows.publish(organizationId, id))
      )
      .handle("link", ({ path: { agentId, workflowId } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => workflows.link(organizationId, workflowId, agentId))
      )
      .pipe(withBodies)
  })
)
