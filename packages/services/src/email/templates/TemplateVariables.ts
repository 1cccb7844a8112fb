import type { TemplateVariable } from "@switchboard/domain/email/templates/Template"
import type { TemplateNode } from "./ParsePart.js"

/** What is shown for names that the data lacks. */
export type Fallbacks = ReadonlyMap<string, string>

/** The values that are shown, each with whether it stands outside sections somewhere, and the sections. */
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

/** The names that a send must give: those shown outside sections that have no fallback. */
export const requiredIn = (nodes: ReadonlyArray<TemplateNode>, fallbacks: Fallbacks): ReadonlyArray<string> =>
  [...namesIn(nodes).values].flatMap(([name, isOutside]) => (isOutside && !fallbacks.has(name) ? [name] : []))

/** The names that a template asks for, in the order in which they are found, with those fallbacks that it shows. */
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

/** The fallbacks among a template's variables. */
export const fallbacksOf = (
  variables: ReadonlyArray<Partial<TemplateVariable> & { readonly name: string }>
): Fallbacks =>
  new Map(variables.flatMap(({ fallback, name }) => (fallback === undefined ? [] : [[name, fallback] as const])))
