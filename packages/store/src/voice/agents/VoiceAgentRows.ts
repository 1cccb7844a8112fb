import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { VoiceAgentEvent, VoiceAgentId, VoiceTransport } from "@switchboard/domain/voice/agents/VoiceAgent"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import type { StoredVoiceAgent } from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { Schema } from "effect"

const Sealed = Schema.NullOr(Schema.Uint8ArrayFromSelf)

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: VoiceAgentId,
    organizationId: OrganizationId,
    workflowId: Schema.NullOr(VoiceWorkflowId),
    name: Schema.String,
    description: Schema.NullOr(Schema.String),
    systemPrompt: Schema.NullOr(Schema.String),
    voiceId: Schema.NullOr(Schema.String),
    language: Schema.NullOr(Schema.String),
    transport: VoiceTransport,
    webhookUrl: Schema.NullOr(Schema.String),
    webhookEvents: Schema.NullOr(Schema.Array(VoiceAgentEvent)),
    webhookHeaders: Sealed,
    webhookSecret: Sealed,
    isActive: Schema.Boolean,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

/** What a `SELECT` from `voice_agents AS a` names, so that its rows are agents. */
export const agentColumns = `a.id, a.organization_id AS "organizationId", a.name, a.description,
  a.system_prompt AS "systemPrompt", a.voice_id AS "voiceId", a.language, a.transport, a.webhook_url AS "webhookUrl",
  a.webhook_events AS "webhookEvents", a.webhook_headers AS "webhookHeaders", a.webhook_secret AS "webhookSecret",
  a.is_active AS "isActive", a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  (SELECT w.id FROM voice_workflows AS w
    WHERE w.organization_id = a.organization_id AND w.voice_agent_id = a.id) AS "workflowId"`

/** An agent as it is stored. */
export const agentFromRow = (row: object): StoredVoiceAgent => {
  const { webhookEvents, webhookHeaders, webhookSecret, webhookUrl, ...agent } = decode(row)
  return {
    ...agent,
    webhook:
      webhookUrl === null || webhookSecret === null
        ? null
        : { url: webhookUrl, events: webhookEvents ?? [], headers: webhookHeaders, secret: webhookSecret }
  }
}
