import { Schema } from "effect"
import { VoiceAgentId } from "../agents/VoiceAgent.js"
import { filledText } from "../FilledText.js"
import { checkGraph } from "./CheckGraph.js"
import { WorkflowEdge, WorkflowNode, WorkflowViewport } from "./WorkflowGraph.js"

const Name = filledText(200)
const Description = filledText(1_000)

/** How many nodes a graph can have. */
export const mostNodes = 500
/** How many edges a graph can have. */
export const mostEdges = 1_000

const Nodes = Schema.Array(WorkflowNode).pipe(
  Schema.filter((nodes) => nodes.length <= mostNodes || `must be at most ${mostNodes} nodes`)
)
const Edges = Schema.Array(WorkflowEdge).pipe(
  Schema.filter((edges) => edges.length <= mostEdges || `must be at most ${mostEdges} edges`)
)

/** A new workflow, whose graph a call could follow. It is enabled unless told otherwise, and not published yet. */
export const CreateVoiceWorkflow = Schema.Struct({
  name: Name,
  description: Schema.optional(Description),
  nodes: Nodes,
  edges: Edges,
  viewport: Schema.optional(WorkflowViewport),
  isEnabled: Schema.optional(Schema.Boolean)
})
  .pipe(Schema.filter((workflow) => checkGraph(workflow)))
  .annotations({ identifier: "CreateVoiceWorkflow" })
export type CreateVoiceWorkflow = typeof CreateVoiceWorkflow.Type

/** What changes; the rest stays. Null takes description or viewport away. */
export const UpdateVoiceWorkflow = Schema.Struct({
  name: Schema.optional(Name),
  description: Schema.optional(Schema.NullOr(Description)),
  nodes: Schema.optional(Nodes),
  edges: Schema.optional(Edges),
  viewport: Schema.optional(Schema.NullOr(WorkflowViewport)),
  isEnabled: Schema.optional(Schema.Boolean)
})
  .pipe(
    Schema.filter(({ edges, nodes }) =>
      // Where one of them is left out, what there is of it decides.
      nodes === undefined || edges === undefined ? [] : checkGraph({ nodes, edges })
    )
  )
  .annotations({ identifier: "UpdateVoiceWorkflow" })
export type UpdateVoiceWorkflow = typeof UpdateVoiceWorkflow.Type

/** What a list of workflows may be narrowed to; `search` looks into name and description. */
export const VoiceWorkflowFilters = Schema.Struct({
  isEnabled: Schema.optional(Schema.Boolean),
  voiceAgentId: Schema.optional(VoiceAgentId),
  search: Schema.optional(Schema.String)
})
export type VoiceWorkflowFilters = typeof VoiceWorkflowFilters.Type
