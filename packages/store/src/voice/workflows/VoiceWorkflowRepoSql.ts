import { SqlClient } from "@effect/sql"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { VoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import type { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { VoiceWorkflowRepo } from "@switchboard/services/voice/workflows/VoiceWorkflowRepo"
import { Effect, Layer } from "effect"
import { forRequest, retryConflicts } from "../../database/Unavailable.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { resourceTable } from "../../Resources.js"
import { fixedFields, rowMapping } from "../../RowMapping.js"

const mapping = rowMapping(VoiceWorkflow.fields, { alias: "f" })

/** Decodes a workflow. */
const workflowFromRow = (row: object) => new VoiceWorkflow(mapping.read(row), { disableValidation: true })

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
  const [linked] = yield* sql`UPDATE voice_workflows AS f SET voice_agent_id = ${agent},
      updated_at = CASE WHEN voice_agent_id = ${agent} THEN updated_at ELSE now() END
    WHERE organization_id = ${organization} AND id = ${id} RETURNING ${sql.literal(mapping.columns)}`
  return linked === undefined ? yield* workflowNotFound : workflowFromRow(linked)
})

/** Workflows in the table `voice_workflows`. */
export const VoiceWorkflowRepoSql = Layer.effect(
  VoiceWorkflowRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const workflows = resourceTable(sql, { ...mapping, tables: "voice_workflows AS f", read: workflowFromRow })

    return {
      insert: (workflow) =>
        sql`INSERT INTO voice_workflows ${sql.insert(mapping.write(workflow))}`.pipe(
          withCreationKey(sql, () => workflow.id),
          Effect.asVoid,
          forRequest
        ),
      find: workflows.find,
      list: (organization, { isEnabled, search, voiceAgentId }, request) =>
        workflows.list(
          organization,
          {
            equal: { is_enabled: isEnabled, voice_agent_id: voiceAgentId },
            search,
            searched: ["name", "description"]
          },
          request
        ),
      change: (organization, id, decide) =>
        workflows.change(organization, id, (present) =>
          Effect.tap(
            decide(present),
            (changed) => sql`UPDATE voice_workflows
              SET ${sql.update(mapping.write(changed, [...fixedFields, "voiceAgentId"]))}
              WHERE organization_id = ${organization} AND id = ${id}`
          )
        ),
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
