import type { TemplateVariable } from "@switchboard/domain/email/templates/Template"
import type { TemplateNode } from "./ParsePart.js"

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
