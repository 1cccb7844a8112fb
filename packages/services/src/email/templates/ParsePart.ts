import type { TemplateVariable } from "@switchboard/domain/email/templates/Template"
import { Either } from "effect"
import type { TemplateSpans } from "mustache"
import Mustache from "mustache"

/** The maximum number of tags of a part, which bounds the memory of its nodes. */
const maxTags = 5_000

/** The maximum depth of sections, which bounds recursion. */
const maxDepth = 32

/** The maximum number of characters of a tag: the library takes quadratic time over white space in a tag. */
const maxTagLength = 200

const kinds: Readonly<Record<string, string>> = { ">": "has a partial", "=": "changes the delimiters" }

/** Line and column, counted from 1. */
const placeOf = (source: string, at: number): string => {
  const before = source.slice(0, at)
  const line = before.split("\n").length
  return `at line ${line}, column ${at - before.lastIndexOf("\n")}`
}

/**
 * Checks the tags of a part, and fills comments with text of the same length, so that the library parses it in linear
 * time. Returns the problem and its position otherwise.
 */
const checkTags = (source: string): Either.Either<string, string> => {
  const wrong = (sentence: string, at: number) => Either.left(`${sentence} ${placeOf(source, at)}`)
  const open: Array<{ readonly name: string; readonly at: number }> = []
  const checked: Array<string> = []
  let tags = 0
  let end = 0
  for (let at = source.indexOf("{{"); at !== -1; at = source.indexOf("{{", end)) {
    const [start = "", kind = ""] = /\{\{\s*([#^/>{&=!]?)/y.exec(source.slice(at, at + maxTagLength)) ?? []
    const close = kind === "{" ? "}}}" : "}}"
    const inner = at + start.length
    const closed = source.indexOf(close, inner)
    if (closed === -1) return wrong("has a tag that is not closed", at)
    checked.push(source.slice(end, at))
    end = closed + close.length
    tags += 1
    if (tags > maxTags) return wrong(`has more than ${maxTags} tags`, at)
    if (kind === "!") {
      checked.push(`${start}${"!".repeat(closed - inner)}${close}`)
      continue
    }
    checked.push(source.slice(at, end))
    const refused = kinds[kind]
    if (refused !== undefined) return wrong(refused, at)
    if (end - at > maxTagLength) return wrong(`has a tag longer than ${maxTagLength} characters`, at)
    const name = source.slice(inner, closed).trim()
    if (name === "") return wrong("has a tag without a name", at)
    if (kind === "#" || kind === "^") {
      if (open.push({ name, at }) > maxDepth) return wrong(`has more than ${maxDepth} nested sections`, at)
    } else if (kind === "/") {
      const section = open.pop()
      if (section === undefined) return wrong(`closes a section "${name}" that is not open`, at)
      if (section.name !== name) return wrong(`closes "${name}" in the section "${section.name}"`, at)
    }
  }
  const [unclosed] = open.slice(-1)
  if (unclosed !== undefined) return wrong(`has a section "${unclosed.name}" that is not closed`, unclosed.at)
  return Either.right(checked.join("") + source.slice(end))
}

/** Names that only Handlebars and Mustachio give a meaning: `else`, `this.title`, `../name`, `@index`, calls with literals. */
const foreignName = /^(?:else(?:\s|$)|this(?:[./]|$)|\.\.?\/|@|[^!].*["'(])/s

/** The problem of a tag that Mustache would take for a name, and show nothing for it. Undefined if there is none. */
export const foreignTag = (source: string): string | undefined => {
  for (const { 1: inner = "", index } of source.matchAll(/\{\{[{&#^]?([^}]*)\}\}/g)) {
    const name = inner.trim()
    if (foreignName.test(name)) return `has "${name}", which Mustache takes for a variable, ${placeOf(source, index)}`
  }
  return undefined
}

/** A node of a parsed template. */
export type TemplateNode =
  | { readonly _tag: "Text"; readonly text: string; readonly octets: number }
  | { readonly _tag: "Value"; readonly name: string; readonly path: ReadonlyArray<string>; readonly escaped: boolean }
  | {
      readonly _tag: "Section"
      readonly name: string
      readonly path: ReadonlyArray<string>
      readonly inverted: boolean
      readonly nodes: ReadonlyArray<TemplateNode>
    }

/** The property path of a name. A lone dot is the current section's value. */
export const pathOf = (name: string): ReadonlyArray<string> =>
  name === "." ? [] : name.indexOf(".") > 0 ? name.split(".") : [name]

const text = (value: string): TemplateNode => ({ _tag: "Text", text: value, octets: Buffer.byteLength(value) })

const nodesOf = (spans: TemplateSpans): ReadonlyArray<TemplateNode> =>
  spans.flatMap((span): ReadonlyArray<TemplateNode> => {
    const [kind, name, , , inner] = span
    if (kind === "text") return [text(name)]
    if (kind === "!") return []
    const path = pathOf(name)
    return kind === "#" || kind === "^"
      ? [{ _tag: "Section", name, path, inverted: kind === "^", nodes: Array.isArray(inner) ? nodesOf(inner) : [] }]
      : [{ _tag: "Value", name, path, escaped: kind === "name" }]
  })

/** Parses a part of a template with the Mustache library, or returns the problem. */
export const parsePart = (source: string): Either.Either<ReadonlyArray<TemplateNode>, string> =>
  Either.map(checkTags(source), (checked) =>
    // A new Writer, since the default one caches every template forever.
    nodesOf(new Mustache.Writer().parse(checked))
  )

/** The texts shown for names that the data lacks. */
export type Fallbacks = ReadonlyMap<string, string>

/** The names of values, each with whether it occurs outside sections, and the names of sections. */
const namesIn = (nodes: ReadonlyArray<TemplateNode>) => {
  const values = new Map<string, boolean>()
  const sections = new Set<string>()
  const visit = (inner: ReadonlyArray<TemplateNode>, isOutside: boolean): void => {
    for (const node of inner) {
      if (node._tag === "Text" || node.name === ".") continue
      if (node._tag === "Section") {
        sections.add(node.name)
        visit(node.nodes, false)
      } else {
        values.set(node.name, isOutside || values.get(node.name) === true)
      }
    }
  }
  visit(nodes, true)
  return { values, sections }
}

/** The names that a send must provide: names outside sections without a fallback. */
export const requiredIn = (nodes: ReadonlyArray<TemplateNode>, fallbacks: Fallbacks): ReadonlyArray<string> =>
  [...namesIn(nodes).values].flatMap(([name, isOutside]) => (isOutside && !fallbacks.has(name) ? [name] : []))

/** The variables of a template, in the order of their first use, with their fallbacks. */
export const variablesIn = (
  nodes: ReadonlyArray<TemplateNode>,
  fallbacks: Fallbacks
): ReadonlyArray<TemplateVariable> => {
  const { sections, values } = namesIn(nodes)
  return [...new Set([...values.keys(), ...sections])].map((name) => {
    const fallback = values.has(name) ? fallbacks.get(name) : undefined
    const required = values.get(name) === true && fallback === undefined
    return fallback === undefined ? { name, required } : { name, required, fallback }
  })
}

/** The fallbacks of a template's variables. */
export const fallbacksOf = (
  variables: ReadonlyArray<Partial<TemplateVariable> & { readonly name: string }>
): Fallbacks =>
  new Map(variables.flatMap(({ fallback, name }) => (fallback === undefined ? [] : [[name, fallback] as const])))
