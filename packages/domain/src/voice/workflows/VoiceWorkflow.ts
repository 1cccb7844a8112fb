import { Schema } from "effect"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { VoiceAgentId } from "../agents/VoiceAgent.js"
import { VoiceWorkflowId } from "./VoiceWorkflowId.js"
import { WorkflowEdge, WorkflowNode, WorkflowViewport } from "./WorkflowGraph.js"

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
