import type { Template } from "../../app/Types.js"

export type TemplateData = Readonly<Record<string, unknown>>

const isData = (value: unknown): value is TemplateData =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The data with a text at a path. */
const withText = (data: TemplateData, [first = "", ...rest]: ReadonlyArray<string>, text: string): TemplateData => {
  const inner = data[first]
  return { ...data, [first]: rest.length === 0 ? text : withText(isData(inner) ? inner : {}, rest, text) }
}

/** Data that has its name as the text of each variable that a send must supply. */
export const exampleData = ({ variables }: Template): TemplateData => {
  let data: TemplateData = {}
  for (const { name, required } of variables) if (required) data = withText(data, name.split("."), name)
  return data
}

/** The data of a JSON text. Throws if it is not an object. */
export const parseData = (json: string): TemplateData => {
  const data: unknown = JSON.parse(json)
  if (!isData(data)) throw new Error("It must begin with { and end with }.")
  return data
}
