import { isJsonObject, type JsonObject } from "../components/Fields.js"

/* Tags of Mustache in the parts of a template, for suggestions alone: the service parses and checks them. */

const tagPattern = /\{\{\{?\s*([#^/&!]?)\s*([^{}]*?)\s*\}?\}\}/g

/** The names within a section, or outside sections. */
interface Scope {
  readonly values: Set<string>
  readonly sections: Map<string, Scope>
}

const newScope = (): Scope => ({ values: new Set(), sections: new Map() })

/** Names in an inverted section are found around it: it has no value of its own. */
const scopeOf = (parts: ReadonlyArray<string>): Scope => {
  const root = newScope()
  for (const part of parts) {
    const open = [root]
    for (const [, kind = "", name = ""] of part.matchAll(tagPattern)) {
      const current = open.at(-1) ?? root
      if (kind === "#") {
        const inner = current.sections.get(name) ?? newScope()
        current.sections.set(name, inner)
        open.push(inner)
      } else if (kind === "^") open.push(current)
      else if (kind === "/") open.pop()
      else if (kind !== "!" && name !== "") current.values.add(name)
    }
  }
  return root
}

const withValue = (data: JsonObject, [first = "", ...rest]: ReadonlyArray<string>, value: unknown): JsonObject => {
  const inner = data[first]
  return { ...data, [first]: rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value) }
}

/** `known` has the names that scopes around this one supply. */
const dataOf = ({ sections, values }: Scope, known: ReadonlySet<string>): JsonObject => {
  const own = [...values].filter((name) => name !== "." && !known.has(name))
  const around = new Set([...known, ...own])
  let data: JsonObject = {}
  for (const name of own) data = withValue(data, name.split("."), name)
  for (const [name, inner] of sections) {
    // A section of its own value shows it if there is one.
    if (own.includes(name) || known.has(name)) continue
    if (inner.values.has(name)) {
      data = withValue(data, name.split("."), name)
      continue
    }
    const item = dataOf(inner, around)
    const isEmpty = Object.keys(item).length === 0
    data = withValue(data, name.split("."), isEmpty ? (inner.values.has(".") ? [name] : true) : [item])
  }
  return data
}

/**
 * Data for a preview: its name as the text of each variable without a fallback, a list of one item for each section with
 * names of its own, and true for the other sections.
 */
export const exampleData = (parts: ReadonlyArray<string>, fallbacks: ReadonlySet<string>): JsonObject =>
  dataOf(scopeOf(parts), fallbacks)

/** The names of the variables outside and inside sections, in the order of their first use. */
export const valueNames = (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const namesIn = ({ sections, values }: Scope): ReadonlyArray<string> => [
    ...[...values].filter((name) => name !== "."),
    ...[...sections.values()].flatMap(namesIn)
  ]
  return [...new Set(namesIn(scopeOf(parts)))]
}

/** The placeholders to insert: those of the parts, with sections as their complete pair of tags. */
export const placeholdersOf = (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const placeholders = ({ sections, values }: Scope): ReadonlyArray<string> => [
    ...[...values].map((name) => `{{${name}}}`),
    ...[...sections].flatMap(([name, inner]) => [`{{#${name}}}{{/${name}}}`, ...placeholders(inner)])
  ]
  return [...new Set(placeholders(scopeOf(parts)))]
}
