import type { TemplateVariable } from "@switchboard/domain/email/templates/Template"
import {
  maxSubjectLength,
  RenderedTemplate,
  type TemplateData
} from "@switchboard/domain/email/templates/TemplateRequests"
import { Either } from "effect"
import { plainText } from "../../messages/compose/PlainText.js"
import type { CompiledTemplate } from "./CompileTemplate.js"
import { pathOf, type TemplateNode } from "./ParsePart.js"
import { renderBudget, renderNodes, shownOf } from "./RenderNodes.js"
import { fallbacksOf, requiredIn } from "./TemplateVariables.js"

/** Parts in the request that replace the template's. */
export interface InlineParts {
  readonly subject?: string | undefined
  readonly html?: string | undefined
  readonly text?: string | undefined
}

const nothing: ReadonlyArray<TemplateNode> = []

/** A subject is one line: line breaks and control characters in the data become spaces. */
const oneLine = (subject: string) => subject.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()

const subjectProblem = ({ length }: string) =>
  length === 0
    ? "renders an empty subject with this template"
    : length > maxSubjectLength
      ? `renders a subject longer than ${maxSubjectLength} characters with this template`
      : null

/**
 * Renders a template, or returns the problem with the data. Inline parts are not rendered and require no data. An
 * inline HTML replaces the template's text too: its text is derived from it.
 */
export const renderTemplate = (
  template: CompiledTemplate,
  variables: ReadonlyArray<TemplateVariable>,
  data: TemplateData,
  inline: InlineParts = {}
): Either.Either<RenderedTemplate, string> => {
  const fallbacks = fallbacksOf(variables)
  const parts = {
    subject: inline.subject === undefined ? template.subject : nothing,
    html: inline.html === undefined ? template.html : nothing,
    text: inline.html === undefined && inline.text === undefined ? (template.text ?? nothing) : nothing
  }
  const required = requiredIn([...parts.subject, ...parts.html, ...parts.text], fallbacks)
  const missing = required.filter((name) => shownOf(data, pathOf(name)) === undefined)

  const budget = renderBudget()
  const render = (nodes: ReadonlyArray<TemplateNode>, isHtml: boolean) =>
    renderNodes(nodes, data, { fallbacks, isHtml }, budget)
  const subject = render(parts.subject, false)
  const html = render(parts.html, true)
  const text = render(parts.text, false)
  if (subject === undefined || html === undefined || text === undefined) {
    return Either.left("renders more than 1 MiB with this template, or takes too many steps")
  }

  const line = oneLine(subject)
  const problem = inline.subject === undefined && missing.length === 0 ? subjectProblem(line) : null
  if (problem !== null) return Either.left(problem)
  const shownHtml = inline.html ?? html
  const ownText = parts.text === nothing ? undefined : text
  return Either.right(
    new RenderedTemplate(
      {
        subject: inline.subject ?? line,
        html: shownHtml,
        text: inline.text ?? ownText ?? plainText(shownHtml),
        missing
      },
      { disableValidation: true }
    )
  )
}
