import { SqlClient } from "@effect/sql"
import { VoiceAgent, VoiceAgentEvent } from "@switchboard/domain/voice/agents/VoiceAgent"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import {
  type StoredVoiceAgent,
  type StoredVoiceWebhook,
  VoiceAgentRepo
} from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import type { StoredWebhookEndpoint } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { Effect, Layer, Option, Schema, Struct } from "effect"
import { forRequest, retryConflicts } from "../../database/Unavailable.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { secretOf } from "../../installation/Secrets.js"
import { resourceTable } from "../../Resources.js"
import { fixedFields, rowMapping } from "../../RowMapping.js"
import { changeEndpoint, insertEndpoint, removeEndpoint } from "../../webhooks/ChangeEndpoint.js"

const Sealed = Schema.optional(Schema.Uint8ArrayFromSelf)

/** `voice_agents AS a` with their webhooks `AS w`. */
const agentTables = `voice_agents AS a LEFT JOIN webhook_endpoints AS w
  ON w.organization_id = a.organization_id AND w.id = a.id`

const mapping = rowMapping(
  {
    ...Struct.omit(VoiceAgent.fields, "webhookConfig"),
    webhookUrl: Schema.optional(Schema.String),
    webhookEvents: Schema.optional(Schema.Array(VoiceAgentEvent)),
    webhookHeaders: Sealed,
    webhookSecret: Sealed
  },
  {
    alias: "a",
    computed: {
      workflowId: `(SELECT f.id FROM voice_workflows AS f
        WHERE f.organization_id = a.organization_id AND f.voice_agent_id = a.id)`,
      webhookUrl: "w.url",
      webhookEvents: "w.events",
      webhookHeaders: secretOf("a.organization_id", "a.id::text", headersPurpose),
      webhookSecret: secretOf("a.organization_id", "a.id::text", secretPurpose)
    }
  }
)

/** Decodes an agent. */
const agentFromRow = (row: object): StoredVoiceAgent => {
  const {
    webhookEvents: events = [],
    webhookHeaders: headers = null,
    webhookSecret,
    webhookUrl,
    ...agent
  } = mapping.read(row)
  const isComplete = webhookUrl !== undefined && webhookSecret !== undefined
  return { ...agent, webhook: isComplete ? { url: webhookUrl, events, headers, secret: webhookSecret } : null }
}

const endpointId = ({ id }: Pick<StoredVoiceAgent, "id">) => WebhookEndpointId.make(id)

/** The endpoint of an agent's webhook. It has the agent's id. */
const endpointOf = (agent: StoredVoiceAgent, webhook: StoredVoiceWebhook): StoredWebhookEndpoint => ({
  id: endpointId(agent),
  organizationId: agent.organizationId,
  type: "voice_agent",
  name: agent.name,
  slug: `voice-agent-${agent.id}`,
  ...{ url: webhook.url, events: webhook.events, headers: webhook.headers },
  ...{ description: null, filters: {}, rateLimit: {}, priority: 0, status: "active", testMode: false },
  ...{ createdAt: agent.updatedAt, updatedAt: agent.updatedAt, createdBy: null, lastModifiedBy: null }
})

/** Agents in the table `voice_agents`, and their webhooks among the endpoints. An agent's workflow refers to it. */
export const VoiceAgentRepoSql = Layer.effect(
  VoiceAgentRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const agents = resourceTable(sql, { ...mapping, tables: agentTables, read: agentFromRow })
    const insertWebhook = (agent: StoredVoiceAgent) =>
      agent.webhook === null
        ? Effect.void
        : Effect.asVoid(insertEndpoint(sql, endpointOf(agent, agent.webhook), agent.webhook.secret))
    const changeWebhook = (before: StoredVoiceAgent, after: StoredVoiceAgent) => {
      const { webhook } = after
      if (before.webhook === null) return insertWebhook(after)
      if (webhook === null) return removeEndpoint(sql, after.organizationId, endpointId(after))
      return changeEndpoint(sql, after.organizationId, endpointId(after), (endpoint) => ({
        ...endpointOf(after, webhook),
        ...{ description: endpoint.description, rateLimit: endpoint.rateLimit, priority: endpoint.priority },
        status: webhook !== before.webhook && endpoint.status === "disabled" ? "active" : endpoint.status
      }))
    }

    return {
      insert: (agent) =>
        sql`INSERT INTO voice_agents ${sql.insert(mapping.write(agent))}`.pipe(
          Effect.zipRight(insertWebhook(agent)),
          sql.withTransaction,
          withCreationKey(sql, () => agent.id),
          Effect.asVoid,
          forRequest
        ),
      find: agents.find,
      findAnswering: (organization, id) =>
        sql`SELECT ${sql.literal(mapping.columns)} FROM ${sql.literal(agentTables)}
          WHERE a.organization_id = ${organization} AND a.is_active
          ORDER BY a.id = ${id}::uuid DESC NULLS LAST, a.id LIMIT 1`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), agentFromRow)),
          forRequest
        ),
      list: (organization, { isActive, search, transport }, request) =>
        agents.list(
          organization,
          { equal: { is_active: isActive, transport }, search, searched: ["name", "description"] },
          request
        ),
      change: (organization, id, decide) =>
        agents.change(organization, id, (present) =>
          Effect.gen(function* () {
            const changed = yield* decide(present)
            yield* sql`UPDATE voice_agents SET ${sql.update(mapping.write(changed, fixedFields))}
              WHERE organization_id = ${organization} AND id = ${id}`
            yield* changeWebhook(present, changed)
            return changed
          })
        ),
      remove: (organization, id) =>
        Effect.gen(function* () {
          // The lock serializes this with a concurrent link of a workflow.
          const agents = yield* sql`SELECT id FROM voice_agents
            WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          if (agents.length === 0) return false
          yield* sql`UPDATE voice_workflows SET voice_agent_id = NULL, updated_at = now()
            WHERE organization_id = ${organization} AND voice_agent_id = ${id}`
          yield* sql`DELETE FROM voice_agents WHERE organization_id = ${organization} AND id = ${id}`
          yield* removeEndpoint(sql, organization, endpointId({ id }))
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
