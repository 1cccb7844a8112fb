import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { KnowledgeBaseId, KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"

export const KnowledgeBasesHttp = HttpApiBuilder.group(
  Api,
  "knowledgeBases",
  Effect.fnUntraced(function* (handlers) {
    const bases = yield* KnowledgeBases
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => bases.list(organizationId, filters, pageRequest(params)))
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => bases.create(organizationId, payload),
          (id, { organizationId }) => bases.get(organizationId, KnowledgeBaseId.make(id))
        )
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
      .handle(
        "requestUpload",
        once(
          ({ path: { knowledgeBaseId }, payload }, { organizationId }) =>
            bases.requestUpload(organizationId, knowledgeBaseId, payload),
          (id, { organizationId }) => bases.openUpload(organizationId, KnowledgeDocumentId.make(id))
        )
      )
      .pipe(withBodies)
  })
)
