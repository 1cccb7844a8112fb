import { Predicate } from "effect"

const reference = /^#\/components\/(parameters|responses)\/(.+)$/

/** An OpenAPI document, with its shared parameters and responses in each operation. */
export const inlineParts = (document: unknown) => {
  const text = JSON.stringify(document)
  const { components } = JSON.parse(text)
  return JSON.parse(text, (_, value: unknown) => {
    const [, kind = "", name = ""] =
      Predicate.hasProperty(value, "$ref") && Predicate.isString(value.$ref) ? (reference.exec(value.$ref) ?? []) : []
    return kind === "" ? value : components[kind][name]
  })
}
