import { HttpApiBuilder } from "@effect/platform"
import { Template } from "@switchboard/domain/email/templates/Template"
import {
  CreateTemplate,
  RenderedTemplate,
  RenderTemplate,
  UpdateTemplate
} from "@switchboard/domain/email/templates/TemplateRequests"
import { pageRequest } from "@switchboard/domain/Page"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody, readOptionalBody } from "../../Door.js"
import { respond } from "../../Respond.js"
import { Removed } from "../../Wire.js"
import { TemplatePage } from "./TemplatesApi.js"

const answerTemplate = respond(Template)
const answerCreated = respond(Template, 201)
const answerPage = respond(TemplatePage)
const answerRendered = respond(RenderedTemplate)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateTemplate)
const readUpdate = readOptionalBody(UpdateTemplate)
const readRender = readOptionalBody(RenderTemplate)

export const TemplatesHttp = HttpApiBuilder.group(
  Api,
  "templates",
  Effect.fnUntraced(function* (handlers) {
    const templates = yield* Templates
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(templates.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* templates.create(organizationId, yield* readCreate))
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(templates.get(organizationId, id), (found) => answerTemplate(found))
        )
      )
      .handleRaw("update", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerTemplate(yield* templates.update(organizationId, id, yield* readUpdate))
        })
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(templates.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("render", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { data = {} } = yield* readRender
          return answerRendered(yield* templates.preview(organizationId, id, data))
        })
      )
  })
)
