import { HttpApiBuilder } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { TemplateId } from "@switchboard/domain/email/templates/Template"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Effect, Schema } from "effect"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { ResendApi } from "./ResendApi.js"
import { listOf, resendPage } from "./ResendShapes.js"
import {
  toDuplicate,
  toListedTemplate,
  toNewTemplate,
  toResendTemplate,
  toTemplateChange,
  withTemplateFields
} from "./ResendTemplate.js"

const isTemplateId = Schema.is(TemplateId)

/** Finds a template of emails by its id or its name. */
const findTemplate = Effect.map(
  Templates,
  (templates) => (organization: OrganizationId, identifier: string) =>
    Effect.filterOrFail(
      isTemplateId(identifier) ? templates.get(organization, identifier) : templates.named(organization, identifier),
      ({ channel }) => channel === "email",
      () => new ResourceNotFoundError({ resource: "template", id: identifier })
    )
)

const referenceTo = (id: TemplateId) => ({ object: "template" as const, id })

export const ResendTemplatesHttp = HttpApiBuilder.group(
  ResendApi,
  "templates",
  Effect.fnUntraced(function* (handlers) {
    const templates = yield* Templates
    const find = yield* findTemplate
    return yield* handlers
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const created = Effect.flatMap(toNewTemplate(payload), (template) =>
            templates.create(organizationId, template)
          )
          return referenceTo((yield* withTemplateFields(payload)(created)).id)
        })
      )
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const page = yield* templates.list(organizationId, { channel: "email" }, yield* resendPage(urlParams))
          return listOf(page, toListedTemplate)
        })
      )
      .handle("get", ({ path }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(find(organizationId, path.id), toResendTemplate)
        )
      )
      .handle("update", ({ path, payload }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { id, name } = yield* find(organizationId, path.id)
          yield* withTemplateFields(payload)(
            Effect.flatMap(toTemplateChange(name, payload), (change) => templates.update(organizationId, id, change))
          )
          return referenceTo(id)
        })
      )
      .handle("publish", ({ path }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(find(organizationId, path.id), ({ id }) => referenceTo(id))
        )
      )
      .handle("duplicate", ({ path }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const copy = yield* toDuplicate(yield* find(organizationId, path.id))
          return referenceTo((yield* templates.create(organizationId, copy)).id)
        })
      )
      .handle("remove", ({ path }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { id } = yield* find(organizationId, path.id)
          yield* templates.remove(organizationId, id)
          return { ...referenceTo(id), deleted: true as const }
        })
      )
      .pipe(withBodies)
  })
)
