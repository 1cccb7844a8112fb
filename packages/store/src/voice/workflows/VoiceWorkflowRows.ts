import type { SqlClient } from "@effect/sql"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { VoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import type { VoiceWorkflowFilters } from "@switchboard/domain/voice/workflows/VoiceWorkflowRequests"
import { WorkflowEdge, WorkflowNode, WorkflowViewport } from "@switchboard/domain/voice/workflows/WorkflowGraph"
import { Effect, Schema } from "effect"
import { containsText } from "../../ContainsText.js"
import { selectPage } from "../../SelectPage.js"

const some = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

const Nodes = Schema.Array(WorkflowNode)
const Edges = Schema.Array(WorkflowEdge)

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: VoiceWorkflowId,
    organizationId: OrganizationId,
    voiceAgentId: some(VoiceAgentId),
    name: Schema.String,
    description: some(Schema.String),
    nodes: Nodes,
    edges: Edges,
    viewport: some(WorkflowViewport),
    publishedNodes: some(Nodes),
    publishedEdges: some(Edges),
    publishedViewport: some(WorkflowViewport),
    isEnabled: Schema.Boolean,
    version: Schema.Int,
    publishedAt: some(Schema.DateTimeUtcFromDate),
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

export const workflowColumns = `id, organization_id AS "organizationId", voice_agent_id AS "voiceAgentId", name,
  description, nodes, edges, viewport, published_nodes AS "publishedNodes", published_edges AS "publishedEdges",
  published_viewport AS "publishedViewport", is_enabled AS "isEnabled", version, published_at AS "publishedAt",
  created_at AS "createdAt", updated_at AS "updatedAt"`

/** Decodes a workflow. */
export const workflowFromRow = (row: object): VoiceWorkflow =>
  new VoiceWorkflow(decode(row), { disableValidation: true })

/** A page of an organization's workflows, newest first (ids sort by creation time). */
export const listWorkflows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { isEnabled, search, voiceAgentId }: VoiceWorkflowFilters,
  request: PageRequest
) {
  const where = [
    sql`organization_id = ${organization}`,
    ...(isEnabled === undefined ? [] : [sql`is_enabled = ${isEnabled}`]),
    ...(voiceAgentId === undefined ? [] : [sql`voice_agent_id = ${voiceAgentId}`]),
    ...(search === undefined ? [] : [containsText(sql, search, ["name", "description"])])
  ]
  return yield* selectPage(sql, request, {
    columns: workflowColumns,
    tables: "voice_workflows",
    where,
    id: "id",
    read: workflowFromRow
  })
})
