import type { VoiceWorkflow } from "../../app/Types.js"

/** Whether the calls follow the draft graph: it is published, has changed since, or was never published. */
export const publicationOf = (workflow: VoiceWorkflow): "published" | "changed" | "unpublished" => {
  const { edges, nodes, publishedEdges, publishedNodes, version } = workflow
  if (version === 0) return "unpublished"
  return JSON.stringify([nodes, edges]) === JSON.stringify([publishedNodes, publishedEdges]) ? "published" : "changed"
}
