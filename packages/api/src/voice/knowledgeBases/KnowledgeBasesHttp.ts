import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"

export const KnowledgeBasesHttp = HttpApiBuilder.group(
  Api,
  "knowledgeBases",
  Effect.fnUntraced(function* (handlers) {
    const bases = yield* KnowledgeBases
    return handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => bases.list(organizationId, filters, pageRequest(params)))
      )
      .handle("create", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => bases.create(organizationId, payload))
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => bases.get(organizationId, id))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(bases.remove(organizationId, id), removed))
      )
      .handle("documents", ({ path: { id }, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          bases.documents(organizationId, id, pageRequest(urlParams))
        )
      )
      .handle("requestUpload", ({ path: { knowledgeBaseId }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          bases.requestUpload(organizationId, knowledgeBaseId, payload)
        )
      )
      .pipe(withBodies)
  })
)
