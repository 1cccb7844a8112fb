import { Schema } from "effect"
import { clearable, items } from "../../Fields.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { SearchText } from "../../Search.js"
import { text } from "../../Text.js"
import { Timestamp } from "../../Timestamp.js"
import { VoiceAgentId } from "../agents/VoiceAgent.js"
import { checkGraph } from "./CheckGraph.js"
import { VoiceWorkflowId } from "./VoiceWorkflowId.js"
import { WorkflowEdge, WorkflowNode, WorkflowViewport } from "./WorkflowGraph.js"

const Name = text(1, 200)
const Description = text(1, 1_000)

/** The maximum number of nodes of a graph. */
const maxNodes = 500
/** The maximum number of edges of a graph. */
const maxEdges = 1_000

const Nodes = Schema.Array(WorkflowNode).pipe(items(0, maxNodes))
const Edges = Schema.Array(WorkflowEdge).pipe(items(0, maxEdges))

/** A new workflow with a valid graph. Default: enabled, not published. */
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

/** The fields to change; omitted fields stay. Null resets a field that a creation may omit. */
export const UpdateVoiceWorkflow = Schema.Struct({
  name: Schema.optional(Name),
  description: clearable(Description),
  nodes: Schema.optional(Nodes),
  edges: Schema.optional(Edges),
  viewport: clearable(WorkflowViewport),
  isEnabled: clearable(Schema.Boolean)
})
  .pipe(
    Schema.filter(({ edges, nodes }) =>
      // If one of them is missing, the service validates it together with the stored part.
      nodes === undefined || edges === undefined ? [] : checkGraph({ nodes, edges })
    )
  )
  .annotations({ identifier: "UpdateVoiceWorkflow" })
export type UpdateVoiceWorkflow = typeof UpdateVoiceWorkflow.Type

/** Filters of a list of workflows; `search` matches name and description. */
export const VoiceWorkflowFilters = Schema.Struct({
  isEnabled: Schema.optional(Schema.Boolean),
  voiceAgentId: Schema.optional(VoiceAgentId),
  search: Schema.optional(SearchText)
})
export type VoiceWorkflowFilters = typeof VoiceWorkflowFilters.Type

/** The workflow of an agent's calls: the graph being edited, and the published graph that calls follow. */
export class VoiceWorkflow extends Schema.Class<VoiceWorkflow>("VoiceWorkflow")({
  id: VoiceWorkflowId,
  organizationId: OrganizationId,
  voiceAgentId: Schema.optional(VoiceAgentId),
  name: Schema.String,
  description: Schema.optional(Schema.String),
  nodes: Schema.Array(WorkflowNode),
  edges: Schema.Array(WorkflowEdge),
  viewport: Schema.optional(WorkflowViewport),
  publishedNodes: Schema.optional(Schema.Array(WorkflowNode)),
  publishedEdges: Schema.optional(Schema.Array(WorkflowEdge)),
  publishedViewport: Schema.optional(WorkflowViewport),
  isEnabled: Schema.Boolean.annotations({ description: "whether calls follow it; otherwise the agent only greets" }),
  version: Schema.Int.annotations({ description: "the number of times it was published" }),
  publishedAt: Schema.optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
