import { HttpApiBuilder } from "@effect/platform"
import { TemplateId } from "@switchboard/domain/email/templates/Template"
import { pageRequest } from "@switchboard/domain/Page"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"
import { sandboxedHtml } from "../records/SandboxedHtml.js"

export const TemplatesHttp = HttpApiBuilder.group(
  Api,
  "templates",
  Effect.fnUntraced(function* (handlers) {
    const templates = yield* Templates
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          templates.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => templates.create(organizationId, payload),
          (id, { organizationId }) => templates.get(organizationId, TemplateId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => templates.get(organizationId, id))
      )
      .handle("versions", ({ path: { id }, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          templates.versions(organizationId, id, pageRequest(urlParams))
        )
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => templates.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(templates.remove(organizationId, id), removed))
      )
      .handle("render", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => templates.preview(organizationId, id, payload))
      )
      .handle("html", ({ path: { id }, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(templates.previewHtml(organizationId, id, urlParams.data), sandboxedHtml)
        )
      )
      .pipe(withBodies)
  })
)
