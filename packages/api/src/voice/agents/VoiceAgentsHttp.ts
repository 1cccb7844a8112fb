import { HttpApiBuilder } from "@effect/platform"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { pageRequest } from "@switchboard/domain/Page"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"

/** The values of webhook headers are shown to callers that can change them. */
const reader = Effect.map(CurrentCaller, ({ organizationId, permissions }) => ({
  organizationId,
  view: { withHeaders: permits(permissions, "voice.write") }
}))

export const VoiceAgentsHttp = HttpApiBuilder.group(
  Api,
  "voiceAgents",
  Effect.fnUntraced(function* (handlers) {
    const agents = yield* VoiceAgents
    const once = yield* handleOnce

    const created = (id: string, { organizationId }: { readonly organizationId: OrganizationId }) =>
      agents.get(organizationId, VoiceAgentId.make(id), { withHeaders: true })

    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(reader, ({ organizationId, view }) =>
          agents.list(organizationId, filters, pageRequest(params), view)
        )
      )
      .handle(
        "create",
        once(({ payload }, { organizationId }) => agents.create(organizationId, payload), created)
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(reader, ({ organizationId, view }) => agents.get(organizationId, id, view))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => agents.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(agents.remove(organizationId, id), removed))
      )
      .handle(
        "duplicate",
        once(({ path: { id }, payload }, { organizationId }) => agents.duplicate(organizationId, id, payload), created)
      )
      .pipe(withBodies)
  })
)
