import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import {
  type CreateTemplate,
  defaultTemplateChannel,
  maxTemplateBytes,
  partProblems,
  RenderedTemplate,
  type RenderTemplate,
  Template,
  type TemplateChannel,
  type TemplateData,
  type TemplateFallback,
  TemplateId,
  type UpdateTemplate
} from "@switchboard/domain/email/templates/Template"
import { afterUpdate } from "@switchboard/domain/Fields"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { DateTime, Effect, Either, Option, Schema } from "effect"
import { LRUCache } from "lru-cache"
import { newId } from "../../NewId.js"
import { type Fallbacks, fallbacksOf, foreignTag, variablesIn } from "./ParsePart.js"
import {
  type CompiledTemplate,
  compileTemplate,
  type InlineParts,
  nodesOf,
  renderTemplate,
  type TemplateParts
} from "./RenderTemplate.js"
import { TemplateRepo } from "./TemplateRepo.js"

const invalid = (fields: Record<string, ReadonlyArray<string>>) =>
  new ValidationError({ message: "The template is invalid", fields })

const byteLength = ({ html = "", subject = "", text = "" }: TemplateParts, fallbacks: Fallbacks) =>
  [subject, html, text, ...fallbacks.values()].reduce((sum, part) => sum + Buffer.byteLength(part), 0)

/**
 * Checks a template and returns its variables. Names in `requested` must be used by the template; unused names in
 * `earlier` are dropped.
 */
export const checkTemplate = (
  parts: TemplateParts,
  requested: ReadonlyArray<TemplateFallback> | undefined,
  earlier: Fallbacks
): Either.Either<Pick<Template, "variables">, ValidationError> => {
  const fallbacks = requested === undefined ? earlier : fallbacksOf(requested)
  if (byteLength(parts, fallbacks) > maxTemplateBytes) {
    return Either.left(
      invalid(
        parts.channel === "email"
          ? { html: ["must be at most 256 KiB together with subject, text and fallbacks"] }
          : { text: ["must be at most 256 KiB together with fallbacks"] }
      )
    )
  }
  return Either.flatMap(compileTemplate(parts), (compiled) => {
    const { html = "", subject = "", text = "" } = parts
    const foreign = Object.entries({ subject, html, text }).flatMap(([field, source]) => {
      const problem = foreignTag(source)
      return problem === undefined ? [] : [[field, [problem]] as const]
    })
    if (foreign.length > 0) return Either.left(invalid(Object.fromEntries(foreign)))
    const variables = variablesIn(nodesOf(compiled), fallbacks)
    const shown = fallbacksOf(variables)
    const unused = (requested ?? []).flatMap(({ name }, at) =>
      shown.has(name) ? [] : [[`variables.${at}.name`, ["is not used by the template"]] as const]
    )
    return unused.length > 0 ? Either.left(invalid(Object.fromEntries(unused))) : Either.right({ variables })
  })
}

const sameAs = (left: Template, right: Template) =>
  left.name === right.name &&
  left.subject === right.subject &&
  left.html === right.html &&
  left.text === right.text &&
  JSON.stringify(left.variables) === JSON.stringify(right.variables)

/** The next version of a template; the present one if nothing changed. */
const nextVersion = (present: Template, changed: Template, now: DateTime.Utc): Template =>
  sameAs(present, changed)
    ? present
    : new Template({ ...changed, version: present.version + 1, updatedAt: now }, { disableValidation: true })

/** The memory for compiled templates, in bytes. A template of a few KiB takes about three times its size. */
const compiledMemory = 32 * 1024 * 1024

/** The memory of a compiled template: its source, and about 200 bytes for each tag. */
const memoryOf = ({ html = "", subject = "", text = "" }: Template) =>
  [subject, html, text].reduce((sum, part) => sum + part.length + 200 * part.split("{{").length, 0)

/**
 * Compiles templates with an LRU cache, since parsing a large template dominates the time of a send. A version never
 * changes, so that entries don't become stale.
 */
const cachedCompiler = () => {
  const cache = new LRUCache<string, CompiledTemplate>({ maxSize: compiledMemory })
  return (template: Template): Either.Either<CompiledTemplate, ValidationError> => {
    const key = `${template.id} ${template.version}`
    const known = cache.get(key)
    if (known !== undefined) return Either.right(known)
    const compiled = compileTemplate(template)
    if (Either.isRight(compiled)) cache.set(key, compiled.right, { size: memoryOf(template) })
    return compiled
  }
}

/** The template with the given fields changed. Fallbacks stay for names that are still used. */
const withChanges = (present: Template, { html, name, subject, text, variables }: UpdateTemplate) => {
  const parts = {
    channel: present.channel,
    subject: subject ?? present.subject,
    html: html ?? present.html,
    text: afterUpdate(text, present.text, undefined)
  }
  const problems = partProblems(present.channel, parts)
  if (problems.length > 0) {
    return Either.left(invalid(Object.fromEntries(problems.map(({ message, path }) => [path.join("."), [message]]))))
  }
  return Either.map(
    checkTemplate(parts, afterUpdate(variables, undefined, []), fallbacksOf(present.variables)),
    (checked) => new Template({ ...present, ...parts, ...checked, name: name ?? present.name })
  )
}

const isTemplateId = Schema.is(TemplateId)

const requiredSentence = "is required by the template: text, a number, true or false"

/** The templates of an organization. */
export class Templates extends Effect.Service<Templates>()("services/Templates", {
  effect: Effect.gen(function* () {
    const repo = yield* TemplateRepo
    const compile = cachedCompiler()

    const notFound = (id: string) => new ResourceNotFoundError({ resource: "template", id })

    const get = Effect.fn("Templates.get")(function* (organization: OrganizationId, id: TemplateId) {
      const found = yield* repo.find(organization, id)
      return yield* Effect.mapError(found, () => notFound(id))
    })

    /** The versions of a template, newest first. */
    const versions = Effect.fn("Templates.versions")(function* (
      organization: OrganizationId,
      id: TemplateId,
      request: PageRequest
    ) {
      yield* get(organization, id)
      return yield* repo.versions(organization, id, request)
    })

    /** The template with this name. */
    const named = Effect.fn("Templates.named")(function* (organization: OrganizationId, name: string) {
      return yield* Effect.mapError(yield* repo.findByName(organization, name), () => notFound(name))
    })

    const create = Effect.fn("Templates.create")(function* (organization: OrganizationId, request: CreateTemplate) {
      const { channel = defaultTemplateChannel, html, name, subject, text } = request
      const { variables } = yield* checkTemplate({ ...request, channel }, request.variables ?? [], new Map())
      const { id, now } = yield* newId(TemplateId)
      const template = new Template({
        ...{ id, organizationId: organization, name, channel, subject, html, text, variables },
        ...{ version: 1, createdAt: now, updatedAt: now }
      })
      yield* repo.insert(template)
      return template
    })

    /** Changes the given fields as a new version. */
    const update = Effect.fn("Templates.update")(function* (
      organization: OrganizationId,
      id: TemplateId,
      changes: UpdateTemplate
    ) {
      const now = yield* DateTime.now
      const changed = yield* repo.change(organization, id, (present) =>
        Either.map(withChanges(present, changes), (template) => nextVersion(present, template, now))
      )
      return yield* Effect.mapError(changed, () => notFound(id))
    })

    const remove = Effect.fn("Templates.remove")(function* (organization: OrganizationId, id: TemplateId) {
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    /** Renders a template with data, and with changes that are not stored. Missing names are listed and rendered empty. */
    const preview = Effect.fn("Templates.preview")(function* (
      organization: OrganizationId,
      id: TemplateId,
      { data = {}, ...changes }: RenderTemplate
    ) {
      const stored = yield* get(organization, id)
      const isStored = Object.keys(changes).length === 0
      const template = isStored ? stored : yield* withChanges(stored, changes)
      const compiled = yield* isStored ? compile(stored) : compileTemplate(template)
      const { missing, text, ...mail } = yield* Either.mapLeft(
        renderTemplate(compiled, template.variables, data),
        (problem) => new ValidationError({ message: "The template can't be rendered", fields: { data: [problem] } })
      )
      return new RenderedTemplate(
        { ...(template.channel === "email" ? mail : {}), text, missing },
        { disableValidation: true }
      )
    })

    /** The HTML that a send with this data would have. Fails for a channel without HTML. */
    const previewHtml = Effect.fn("Templates.previewHtml")(function* (
      organization: OrganizationId,
      id: TemplateId,
      data: TemplateData | undefined
    ) {
      const { html } = yield* preview(organization, id, { data })
      return (
        html ?? (yield* new ValidationError({ message: "The template has no HTML: only templates of e-mails have" }))
      )
    })

    /** Renders a template for a send of its channel, and returns the version used. A malformed id is not found. */
    const render = Effect.fnUntraced(function* (
      organization: OrganizationId,
      channel: TemplateChannel,
      templateId: string,
      data: TemplateData,
      inline: InlineParts = {}
    ) {
      const found = isTemplateId(templateId) ? yield* repo.find(organization, templateId) : Option.none()
      const template = yield* Effect.mapError(found, () => notFound(templateId))
      if (template.channel !== channel) {
        return yield* new ValidationError({
          message: "The request body is invalid",
          fields: { [`${channel}.templateId`]: [`is a template for ${template.channel}: choose one for ${channel}`] }
        })
      }
      const rendered = renderTemplate(yield* compile(template), template.variables, data, inline)
      const { missing, ...parts } = yield* Either.mapLeft(
        rendered,
        (problem) =>
          new ValidationError({ message: "The request body is invalid", fields: { templateData: [problem] } })
      )
      if (missing.length > 0) {
        return yield* new ValidationError({
          message: "The template's data is incomplete",
          fields: Object.fromEntries(missing.map((name) => [`templateData.${name}`, [requiredSentence]]))
        })
      }
      return { ...parts, version: template.version }
    })

    return { get, named, list: repo.list, versions, create, update, remove, preview, previewHtml, render } as const
  })
}) {}
