import { ValidationError } from "@switchboard/domain/Errors"
import { Template } from "@switchboard/domain/email/templates/Template"
import type { TemplateFallback } from "@switchboard/domain/email/templates/TemplateRequests"
import { type DateTime, Either } from "effect"
import { compileTemplate, nodesOf, type TemplateParts } from "./CompileTemplate.js"
import { type Fallbacks, fallbacksOf, variablesIn } from "./TemplateVariables.js"

/** All that a template is made of, together: 256 KiB. */
export const templateLimitBytes = 256 * 1024

const invalid = (fields: Record<string, ReadonlyArray<string>>) =>
  new ValidationError({ message: "The template is invalid", fields })

const octetsOf = ({ html, subject, text = "" }: TemplateParts, fallbacks: Fallbacks) =>
  [subject, html, text, ...fallbacks.values()].reduce((sum, part) => sum + Buffer.byteLength(part), 0)

/** A template's parts with the names they ask for, or what is wrong with them. Fallbacks of `kept` may name nothing. */
export const checkTemplate = (
  parts: TemplateParts,
  given: ReadonlyArray<TemplateFallback> | undefined,
  kept: Fallbacks
): Either.Either<Pick<Template, "variables">, ValidationError> => {
  const fallbacks = given === undefined ? kept : fallbacksOf(given)
  if (octetsOf(parts, fallbacks) > templateLimitBytes) {
    return Either.left(invalid({ html: ["must be at most 256 KiB together with subject, text and fallbacks"] }))
  }
  return Either.flatMap(compileTemplate(parts), (compiled) => {
    const variables = variablesIn(nodesOf(compiled), fallbacks)
    const shown = fallbacksOf(variables)
    const idle = (given ?? []).flatMap(({ name }, at) =>
      shown.has(name) ? [] : [[`variables.${at}.name`, ["is not a value that the template shows"]] as const]
    )
    return idle.length > 0 ? Either.left(invalid(Object.fromEntries(idle))) : Either.right({ variables })
  })
}

const sameAs = (left: Template, right: Template) =>
  left.name === right.name &&
  left.subject === right.subject &&
  left.html === right.html &&
  left.text === right.text &&
  JSON.stringify(left.variables) === JSON.stringify(right.variables)

/** The next version of a template; the present one if nothing of it has changed. */
export const nextVersion = (present: Template, changed: Template, now: DateTime.Utc): Template =>
  sameAs(present, changed)
    ? present
    : new Template({ ...changed, version: present.version + 1, updatedAt: now }, { disableValidation: true })
