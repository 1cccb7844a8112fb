import type { Graph } from "./GraphLayout.js"

/** The label of a node, or else the text that it speaks, or else its id. */
export const stepName = ({ data, id }: Graph["nodes"][number]): string => {
  const config: object = data?.config ?? {}
  const spoken = "text" in config && typeof config.text === "string" ? config.text : undefined
  return data?.label ?? spoken ?? id
}
