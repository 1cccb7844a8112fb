import { ValidationError } from "@switchboard/domain/Errors"
import { Template } from "@switchboard/domain/email/templates/Template"
import { maxTemplateBytes, type TemplateFallback } from "@switchboard/domain/email/templates/TemplateRequests"
import { type DateTime, Either } from "effect"
import { compileTemplate, nodesOf, type TemplateParts } from "./CompileTemplate.js"
import { type Fallbacks, fallbacksOf, variablesIn } from "./TemplateVariables.js"

const invalid = (fields: Record<string, ReadonlyArray<string>>) =>
  new ValidationError({ message: "The template is invalid", fields })

const byteLength = ({ html, subject, text = "" }: TemplateParts, fallbacks: Fallbacks) =>
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
    return Either.left(invalid({ html: ["must be at most 256 KiB together with subject, text and fallbacks"] }))
  }
  return Either.flatMap(compileTemplate(parts), (compiled) => {
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
export const nextVersion = (present: Template, changed: Template, now: DateTime.Utc): Template =>
  sameAs(present, changed)
    ? present
    : new Template({ ...changed, version: present.version + 1, updatedAt: now }, { disableValidation: true })
