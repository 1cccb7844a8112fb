import type { TemplateVariable } from "@switchboard/domain/email/templates/Template"
import {
  longestSubject,
  RenderedTemplate,
  type TemplateData
} from "@switchboard/domain/email/templates/TemplateRequests"
import { Either } from "effect"
import { plainText } from "../../messages/compose/PlainText.js"
import type { CompiledTemplate } from "./CompileTemplate.js"
import { pathOf, type TemplateNode } from "./ParsePart.js"
import { renderBudget, renderNodes, shownOf } from "./RenderNodes.js"
import { fallbacksOf, requiredIn } from "./TemplateVariables.js"

/** What a send says itself: it takes the place of the template's part. */
export interface InlineParts {
  readonly subject?: string | undefined
  readonly html?: string | undefined
  readonly text?: string | undefined
}

const nothing: ReadonlyArray<TemplateNode> = []

/** A subject is one line, whatever the data says: what breaks lines, and what can't be seen, is a space. */
const oneLine = (subject: string) => subject.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()

const subjectProblem = ({ length }: string) =>
  length === 0
    ? "makes an empty subject with this template"
    : length > longestSubject
      ? `makes a subject longer than ${longestSubject} characters with this template`
      : null

/**
 * What a template says with its data, or what is wrong with the data. Parts given inline are not rendered, and ask for
 * no data. The template's text belongs to its HTML: beside an inline HTML the text is made from that.
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
    return Either.left("makes more than 1 MiB with this template, or takes too many steps")
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
