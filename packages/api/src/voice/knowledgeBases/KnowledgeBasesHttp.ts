import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { KnowledgeBase } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import {
  CreateKnowledgeBase,
  RequestUpload,
  UploadTarget
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBaseRequests"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody } from "../../Door.js"
import { respond } from "../../Respond.js"
import { Removed } from "../../Wire.js"
import { KnowledgeBasePage, KnowledgeDocumentPage } from "./KnowledgeBasesApi.js"

const answerBase = respond(KnowledgeBase)
const answerCreated = respond(KnowledgeBase, 201)
const answerPage = respond(KnowledgeBasePage)
const answerDocuments = respond(KnowledgeDocumentPage)
const answerTarget = respond(UploadTarget, 201)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateKnowledgeBase)
const readUpload = readBody(RequestUpload)

export const KnowledgeBasesHttp = HttpApiBuilder.group(
  Api,
  "knowledgeBases",
  Effect.fnUntraced(function* (handlers) {
    const bases = yield* KnowledgeBases
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(bases.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* bases.create(organizationId, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(bases.get(organizationId, id), (found) => answerBase(found))
        )
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(bases.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("documents", ({ path: { id }, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(bases.documents(organizationId, id, pageRequest(urlParams)), (found) => answerDocuments(found))
        )
      )
      .handleRaw("requestUpload", ({ path: { knowledgeBaseId } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerTarget(yield* bases.requestUpload(organizationId, knowledgeBaseId, yield* readUpload))
        })
      )
  })
)
