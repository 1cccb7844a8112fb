import { SqlClient } from "@effect/sql"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { VoiceWorkflow, type VoiceWorkflowFilters } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { WorkflowEdge, WorkflowNode, WorkflowViewport } from "@switchboard/domain/voice/workflows/WorkflowGraph"
import { VoiceWorkflowRepo } from "@switchboard/services/voice/workflows/VoiceWorkflowRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { forRequest, retryConflicts } from "../../database/Unavailable.js"
import { containsText } from "../../Filters.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { selectPage } from "../../Lists.js"

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

const workflowColumns = `id, organization_id AS "organizationId", voice_agent_id AS "voiceAgentId", name,
  description, nodes, edges, viewport, published_nodes AS "publishedNodes", published_edges AS "publishedEdges",
  published_viewport AS "publishedViewport", is_enabled AS "isEnabled", version, published_at AS "publishedAt",
  created_at AS "createdAt", updated_at AS "updatedAt"`

/** Decodes a workflow. */
const workflowFromRow = (row: object): VoiceWorkflow => new VoiceWorkflow(decode(row), { disableValidation: true })

/** A page of an organization's workflows, newest first (ids sort by creation time). */
const listWorkflows = Effect.fnUntraced(function* (
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

/**
 * Links a workflow to an agent, and unlinks the agent's previous workflow. The agent's lock serializes concurrent
 * links; workflows are locked in the order of ids, so that concurrent transactions do not deadlock. Requires a
 * transaction.
 */
const linkWorkflow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: VoiceWorkflowId,
  agent: VoiceAgentId
) {
  const workflowNotFound = new ResourceNotFoundError({ resource: "voiceWorkflow", id })
  const agents = yield* sql`SELECT id FROM voice_agents
    WHERE organization_id = ${organization} AND id = ${agent} FOR UPDATE`
  const workflows = yield* sql<{ readonly id: string }>`SELECT id FROM voice_workflows
    WHERE organization_id = ${organization} AND (id = ${id} OR voice_agent_id = ${agent}) ORDER BY id FOR UPDATE`
  if (!workflows.some((workflow) => workflow.id === id)) return yield* workflowNotFound
  if (agents.length === 0) return yield* new ResourceNotFoundError({ resource: "voiceAgent", id: agent })
  yield* sql`UPDATE voice_workflows SET voice_agent_id = NULL, updated_at = now()
    WHERE organization_id = ${organization} AND voice_agent_id = ${agent} AND id <> ${id}`
  const [linked] = yield* sql`UPDATE voice_workflows SET voice_agent_id = ${agent},
      updated_at = CASE WHEN voice_agent_id = ${agent} THEN updated_at ELSE now() END
    WHERE organization_id = ${organization} AND id = ${id} RETURNING ${sql.literal(workflowColumns)}`
  return linked === undefined ? yield* workflowNotFound : workflowFromRow(linked)
})

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** The columns that can change, without the agent. */
const settings = (workflow: VoiceWorkflow) => ({
  name: workflow.name,
  description: workflow.description ?? null,
  nodes: json(workflow.nodes),
  edges: json(workflow.edges),
  viewport: json(workflow.viewport),
  published_nodes: json(workflow.publishedNodes),
  published_edges: json(workflow.publishedEdges),
  published_viewport: json(workflow.publishedViewport),
  is_enabled: workflow.isEnabled,
  version: workflow.version,
  published_at: workflow.publishedAt === undefined ? null : DateTime.toDateUtc(workflow.publishedAt),
  updated_at: DateTime.toDateUtc(workflow.updatedAt)
})

/** Workflows in the table `voice_workflows`. */
export const VoiceWorkflowRepoSql = Layer.effect(
  VoiceWorkflowRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(workflowColumns)
    const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), workflowFromRow)

    return {
      insert: (workflow) =>
        sql`INSERT INTO voice_workflows ${sql.insert({
          organization_id: workflow.organizationId,
          id: workflow.id,
          created_at: DateTime.toDateUtc(workflow.createdAt),
          ...settings(workflow)
        })}`.pipe(
          withCreationKey(sql, () => workflow.id),
          Effect.asVoid,
          forRequest
        ),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM voice_workflows WHERE organization_id = ${organization} AND id = ${id}`.pipe(
          Effect.map(first),
          forRequest
        ),
      list: (organization, filters, request) => forRequest(listWorkflows(sql, organization, filters, request)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM voice_workflows
              WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          )
          if (Option.isNone(present)) return Option.none()
          const changed = yield* decide(present.value)
          yield* sql`UPDATE voice_workflows SET ${sql.update(settings(changed))}
            WHERE organization_id = ${organization} AND id = ${id}`
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      remove: (organization, id) =>
        sql`DELETE FROM voice_workflows WHERE organization_id = ${organization} AND id = ${id} RETURNING id`.pipe(
          Effect.map((rows) => rows.length > 0),
          forRequest
        ),
      link: (organization, id, agent) =>
        linkWorkflow(sql, organization, id, agent).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
