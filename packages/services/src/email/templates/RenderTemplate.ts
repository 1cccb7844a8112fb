import { ValidationError } from "@switchboard/domain/Errors"
import {
  maxSubjectLength,
  type TemplateChannel,
  type TemplateData,
  type TemplateVariable
} from "@switchboard/domain/email/templates/Template"
import { Either } from "effect"
import Mustache from "mustache"
import { plainText } from "../../messages/compose/PlainText.js"
import { fallbacksOf, parsePart, pathOf, requiredIn, type TemplateNode } from "./ParsePart.js"

/** The source of a template. */
export interface TemplateParts {
  readonly channel: TemplateChannel
  readonly subject?: string | undefined
  readonly html?: string | undefined
  readonly text?: string | undefined
}

/** The parsed parts of a template. */
export interface CompiledTemplate {
  readonly channel: TemplateChannel
  readonly subject: ReadonlyArray<TemplateNode>
  readonly html: ReadonlyArray<TemplateNode>
  readonly text: ReadonlyArray<TemplateNode> | null
}

/** All nodes of a template's parts. */
export const nodesOf = ({ html, subject, text }: CompiledTemplate): ReadonlyArray<TemplateNode> => [
  ...subject,
  ...html,
  ...(text ?? [])
]

const problemOf = (part: Either.Either<unknown, string>) => (Either.isLeft(part) ? [part.left] : [])

/** Parses a template. The error names the position of the problem in each part. */
export const compileTemplate = ({
  channel,
  html = "",
  subject = "",
  text
}: TemplateParts): Either.Either<CompiledTemplate, ValidationError> => {
  const parts = { subject: parsePart(subject), html: parsePart(html), text: parsePart(text ?? "") }
  return Either.mapLeft(
    Either.map(Either.all(parts), (parsed) => ({ ...parsed, channel, text: text === undefined ? null : parsed.text })),
    () => {
      const problems = Object.entries(parts).map(([field, part]) => [field, problemOf(part)] as const)
      return new ValidationError({
        message: "The template can't be parsed",
        fields: Object.fromEntries(problems.filter(([, sentences]) => sentences.length > 0))
      })
    }
  )
}

/** The remaining octets and steps of a rendering, decremented as it proceeds: its size depends on the data. */
interface RenderBudget {
  octets: number
  steps: number
}

/** The limits of one rendering: 1 MiB over all parts and a million steps. */
const renderBudget = (): RenderBudget => ({ octets: 1024 * 1024, steps: 1_000_000 })

/** A scope of names: the current section's value, and the enclosing scope. */
interface Scope {
  readonly value: unknown
  readonly around: Scope | null
}

/** The value at a path; undefined if there is none. Reads own properties only, never inherited ones. */
const within = (value: unknown, path: ReadonlyArray<string>): unknown => {
  let found = value
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

/** The text of a value; undefined for null, lists and objects. */
const shown = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : undefined

/** The text of a name in the data, outside sections. */
const shownOf = (data: unknown, path: ReadonlyArray<string>) => shown(within(data, path))

/** The escaping of a part, and the fallbacks of names that the data lacks. */
interface RenderOptions {
  readonly isHtml: boolean
  readonly fallbacks: ReadonlyMap<string, string>
}

/** Renders a part; undefined if it exceeds the budget. */
const renderNodes = (
  nodes: ReadonlyArray<TemplateNode>,
  data: unknown,
  { fallbacks, isHtml }: RenderOptions,
  budget: RenderBudget
): string | undefined => {
  const pieces: Array<string> = []

  const spend = (octets: number, steps: number) => {
    budget.octets -= octets
    budget.steps -= steps
    return budget.octets >= 0 && budget.steps >= 0
  }

  const lookup = (path: ReadonlyArray<string>, scope: Scope): unknown => {
    if (path.length === 0) return scope.value
    for (let at: Scope | null = scope; at !== null; at = at.around) {
      budget.steps -= path.length
      const found = within(at.value, path)
      if (found !== undefined) return found
    }
    return undefined
  }

  const write = (text: string, octets: number) => {
    if (!spend(octets, 1)) return false
    pieces.push(text)
    return true
  }

  const all = (inner: ReadonlyArray<TemplateNode>, scope: Scope): boolean => inner.every((node) => one(node, scope))

  const section = (inner: ReadonlyArray<TemplateNode>, value: unknown, scope: Scope): boolean => {
    if (Array.isArray(value)) {
      return value.every((item) => spend(0, 1) && all(inner, { value: item, around: scope }))
    }
    if (!value) return true
    return all(inner, value === true ? scope : { value, around: scope })
  }

  const one = (node: TemplateNode, scope: Scope): boolean => {
    if (node._tag === "Text") return write(node.text, node.octets)
    const value = lookup(node.path, scope)
    if (!spend(0, 1)) return false
    if (node._tag === "Section") {
      if (!node.inverted) return section(node.nodes, value, scope)
      return !value || (Array.isArray(value) && value.length === 0) ? all(node.nodes, scope) : true
    }
    const text = shown(value) ?? fallbacks.get(node.name) ?? ""
    // Escaping only makes a text longer.
    if (text.length > budget.octets) return false
    const written = node.escaped && isHtml ? Mustache.escape(text) : text
    return write(written, Buffer.byteLength(written))
  }

  return all(nodes, { value: data, around: null }) ? pieces.join("") : undefined
}

/** The parts of a message. `subject` and `html` are empty for a channel that has none. */
export interface RenderedParts {
  readonly subject: string
  readonly html: string
  readonly text: string
  /** The required names that the data lacks. */
  readonly missing: ReadonlyArray<string>
}

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
): Either.Either<RenderedParts, string> => {
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
  const hasOwnSubject = template.channel === "email" && inline.subject === undefined
  const problem = hasOwnSubject && missing.length === 0 ? subjectProblem(line) : null
  if (problem !== null) return Either.left(problem)
  const shownHtml = inline.html ?? html
  const ownText = parts.text === nothing ? undefined : text
  return Either.right({
    subject: inline.subject ?? line,
    html: shownHtml,
    text: inline.text ?? ownText ?? plainText(shownHtml),
    missing
  })
}
