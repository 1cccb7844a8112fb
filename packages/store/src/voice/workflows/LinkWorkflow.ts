import type { SqlClient } from "@effect/sql"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import type { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { Effect } from "effect"
import { workflowColumns, workflowFromRow } from "./VoiceWorkflowRows.js"

/**
 * Gives an agent a workflow and takes it from whichever had it. Those who link the same agent come one after the other,
 * and workflows are locked in the order of their ids, so that nobody waits for who waits for them. To be run in a
 * transaction.
 */
export const linkWorkflow = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: VoiceWorkflowId,
  agent: VoiceAgentId
) {
  const noWorkflow = new ResourceNotFoundError({ resource: "voiceWorkflow", id })
  const agents = yield* sql`SELECT id FROM voice_agents
    WHERE organization_id = ${organization} AND id = ${agent} FOR UPDATE`
  const workflows = yield* sql<{ readonly id: string }>`SELECT id FROM voice_workflows
    WHERE organization_id = ${organization} AND (id = ${id} OR voice_agent_id = ${agent}) ORDER BY id FOR UPDATE`
  if (!workflows.some((workflow) => workflow.id === id)) return yield* noWorkflow
  if (agents.length === 0) return yield* new ResourceNotFoundError({ resource: "voiceAgent", id: agent })
  yield* sql`UPDATE voice_workflows SET voice_agent_id = NULL, updated_at = now()
    WHERE organization_id = ${organization} AND voice_agent_id = ${agent} AND id <> ${id}`
  const [linked] = yield* sql`UPDATE voice_workflows SET voice_agent_id = ${agent},
      updated_at = CASE WHEN voice_agent_id = ${agent} THEN updated_at ELSE now() END
    WHERE organization_id = ${organization} AND id = ${id} RETURNING ${sql.literal(workflowColumns)}`
  return linked === undefined ? yield* noWorkflow : workflowFromRow(linked)
})
