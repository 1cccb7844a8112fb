import Mustache from "mustache"
import type { TemplateNode } from "./ParsePart.js"

/** What a rendering may still make and do. It is counted while it grows: data decides how much comes of a template. */
export interface RenderBudget {
  octets: number
  steps: number
}

/** The most that a template makes of any data: 1 MiB over all parts, in a million steps. */
export const renderBudget = (): RenderBudget => ({ octets: 1024 * 1024, steps: 1_000_000 })

/** Where names are looked up: the value that a section stands at, and what is around it. */
interface Scope {
  readonly value: unknown
  readonly around: Scope | null
}

/** What a name stands for within one value; undefined is nothing. Only what the value has of its own is seen. */
const within = (value: unknown, path: ReadonlyArray<string>): unknown => {
  let found = value
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

/** The text of a value in a mail: there is none for nothing, nor for a list or an object. */
export const shown = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : undefined

/** What is shown for a name of the whole data, outside of sections. */
export const shownOf = (data: unknown, path: ReadonlyArray<string>) => shown(within(data, path))

/** How a part is rendered: its escaping, and what is shown for names that the data lacks. */
export interface RenderOptions {
  readonly isHtml: boolean
  readonly fallbacks: ReadonlyMap<string, string>
}

/** The text of a part with its data; undefined if there is no room or time for all of it. */
export const renderNodes = (
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
    // What has no room as it is has none escaped.
    if (text.length > budget.octets) return false
    const written = node.escaped && isHtml ? Mustache.escape(text) : text
    return write(written, Buffer.byteLength(written))
  }

  return all(nodes, { value: data, around: null }) ? pieces.join("") : undefined
}
