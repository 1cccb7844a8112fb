import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Template, TemplateId } from "@switchboard/domain/email/templates/Template"
import type { CreateTemplate, TemplateData, UpdateTemplate } from "@switchboard/domain/email/templates/TemplateRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Either, Option, Schema } from "effect"
import { newId } from "../../NewId.js"
import { type CompiledTemplate, compileTemplate } from "./CompileTemplate.js"
import { type InlineParts, renderTemplate } from "./RenderTemplate.js"
import { TemplateRepo } from "./TemplateRepo.js"
import { fallbacksOf } from "./TemplateVariables.js"
import { checkTemplate, nextVersion } from "./WriteTemplate.js"

/** Templates that are kept compiled at most. The largest takes a few MiB, most of them some KiB. */
const maxCompiled = 64

/**
 * Compiles templates, the ones last used only once: to parse a large one takes longer than everything else about a
 * send. A version never changes, so what is kept of it holds.
 */
const compiledOnce = () => {
  const kept = new Map<string, CompiledTemplate>()
  return (template: Template): Either.Either<CompiledTemplate, ValidationError> => {
    const key = `${template.id} ${template.version}`
    const known = kept.get(key)
    const compiled = known === undefined ? compileTemplate(template) : Either.right(known)
    if (Either.isRight(compiled)) {
      // Put last again: the first is the one that has not been used for longest.
      kept.delete(key)
      kept.set(key, compiled.right)
      for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - maxCompiled))) kept.delete(oldest)
    }
    return compiled
  }
}

const isTemplateId = Schema.is(TemplateId)

const requiredSentence = "is required by the template: text, a number, true or false"

/** The templates of an organization, and what sends say by them. */
export class Templates extends Effect.Service<Templates>()("services/Templates", {
  effect: Effect.gen(function* () {
    const repo = yield* TemplateRepo
    const compile = compiledOnce()

    const notFound = (id: string) => new ResourceNotFoundError({ resource: "template", id })

    const get = Effect.fn("Templates.get")(function* (organization: OrganizationId, id: TemplateId) {
      const found = yield* repo.find(organization, id)
      return yield* Effect.mapError(found, () => notFound(id))
    })

    /** The template that has this name. */
    const named = Effect.fn("Templates.named")(function* (organization: OrganizationId, name: string) {
      return yield* Effect.mapError(yield* repo.findByName(organization, name), () => notFound(name))
    })

    const create = Effect.fn("Templates.create")(function* (organization: OrganizationId, request: CreateTemplate) {
      const { html, name, subject, text } = request
      const { variables } = yield* checkTemplate(request, request.variables ?? [], new Map())
      const { id, now } = yield* newId(TemplateId)
      const template = new Template({
        ...{ id, organizationId: organization, name, subject, html, text, variables },
        ...{ version: 1, createdAt: now, updatedAt: now }
      })
      yield* repo.insert(template)
      return template
    })

    /** Changes what is given, as a new version. Fallbacks stay with the names that are still shown. */
    const update = Effect.fn("Templates.update")(function* (
      organization: OrganizationId,
      id: TemplateId,
      { html, name, subject, text, variables }: UpdateTemplate
    ) {
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, id, (present) => {
        const parts = {
          subject: subject ?? present.subject,
          html: html ?? present.html,
          text: text === undefined ? present.text : (text ?? undefined)
        }
        return Effect.map(checkTemplate(parts, variables, fallbacksOf(present.variables)), (checked) =>
          nextVersion(present, new Template({ ...present, ...parts, ...checked, name: name ?? present.name }), now)
        )
      })
      return yield* Effect.mapError(changed, () => notFound(id))
    })

    const remove = Effect.fn("Templates.remove")(function* (organization: OrganizationId, id: TemplateId) {
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    /** What a send with this data would say; what it lacks is named, and shown as nothing. */
    const preview = Effect.fn("Templates.preview")(function* (
      organization: OrganizationId,
      id: TemplateId,
      data: TemplateData
    ) {
      const template = yield* get(organization, id)
      const rendered = renderTemplate(yield* compile(template), template.variables, data)
      return yield* Either.mapLeft(
        rendered,
        (problem) => new ValidationError({ message: "The template can't be rendered", fields: { data: [problem] } })
      )
    })

    /**
     * What a send says by its template, and by which version of it. Ids are as callers write them: what is no id names
     * no template.
     */
    const render = Effect.fnUntraced(function* (
      organization: OrganizationId,
      templateId: string,
      data: TemplateData,
      inline: InlineParts = {}
    ) {
      const found = isTemplateId(templateId) ? yield* repo.find(organization, templateId) : Option.none()
      const template = yield* Effect.mapError(found, () => notFound(templateId))
      const rendered = renderTemplate(yield* compile(template), template.variables, data, inline)
      const { missing, ...parts } = yield* Either.mapLeft(
        rendered,
        (problem) =>
          new ValidationError({ message: "The request body is invalid", fields: { templateData: [problem] } })
      )
      if (missing.length > 0) {
        return yield* new ValidationError({
          message: "The template's data is not complete",
          fields: Object.fromEntries(missing.map((name) => [`templateData.${name}`, [requiredSentence]]))
        })
      }
      return { ...parts, version: template.version }
    })

    return { get, named, list: repo.list, create, update, remove, preview, render } as const
  })
}) {}
