import { SqlClient } from "@effect/sql"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { VoiceAgentEvent, VoiceAgentId, VoiceTransport } from "@switchboard/domain/voice/agents/VoiceAgent"
import { VoiceWorkflowId } from "@switchboard/domain/voice/workflows/VoiceWorkflowId"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import {
  type StoredVoiceAgent,
  type StoredVoiceWebhook,
  VoiceAgentRepo
} from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import type { StoredWebhookEndpoint } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { forRequest, retryConflicts } from "../../database/Unavailable.js"
import { containsText } from "../../Filters.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { secretOf } from "../../installation/Secrets.js"
import { selectPage } from "../../Lists.js"
import { changeEndpoint, insertEndpoint, removeEndpoint } from "../../webhooks/ChangeEndpoint.js"

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

/** `voice_agents AS a` with their webhooks `AS w`. */
const agentTables = `voice_agents AS a LEFT JOIN webhook_endpoints AS w
  ON w.organization_id = a.organization_id AND w.id = a.id`

/** The columns of `agentTables` for `agentFromRow`. */
const agentColumns = `a.id, a.organization_id AS "organizationId", a.name, a.description,
  a.system_prompt AS "systemPrompt", a.voice_id AS "voiceId", a.language, a.transport, w.url AS "webhookUrl",
  w.events AS "webhookEvents", ${secretOf("a.organization_id", "a.id::text", headersPurpose)} AS "webhookHeaders",
  ${secretOf("a.organization_id", "a.id::text", secretPurpose)} AS "webhookSecret",
  a.is_active AS "isActive", a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  (SELECT f.id FROM voice_workflows AS f
    WHERE f.organization_id = a.organization_id AND f.voice_agent_id = a.id) AS "workflowId"`

/** Decodes an agent. */
const agentFromRow = (row: object): StoredVoiceAgent => {
  const { webhookEvents, webhookHeaders, webhookSecret, webhookUrl, ...agent } = decode(row)
  return {
    ...agent,
    webhook:
      webhookUrl === null || webhookSecret === null
        ? null
        : { url: webhookUrl, events: webhookEvents ?? [], headers: webhookHeaders, secret: webhookSecret }
  }
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

/** The columns that can change. */
const settings = (agent: StoredVoiceAgent) => ({
  name: agent.name,
  description: agent.description,
  system_prompt: agent.systemPrompt,
  voice_id: agent.voiceId,
  language: agent.language,
  transport: agent.transport,
  is_active: agent.isActive,
  updated_at: DateTime.toDateUtc(agent.updatedAt)
})

/** Agents in the table `voice_agents`, and their webhooks among the endpoints. An agent's workflow refers to it. */
export const VoiceAgentRepoSql = Layer.effect(
  VoiceAgentRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(agentColumns)
    const tables = sql.literal(agentTables)
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
    const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), agentFromRow)

    return {
      insert: (agent) =>
        sql`INSERT INTO voice_agents ${sql.insert({
          organization_id: agent.organizationId,
          id: agent.id,
          created_at: DateTime.toDateUtc(agent.createdAt),
          ...settings(agent)
        })}`.pipe(
          Effect.zipRight(insertWebhook(agent)),
          sql.withTransaction,
          withCreationKey(sql, () => agent.id),
          Effect.asVoid,
          forRequest
        ),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM ${tables} WHERE a.organization_id = ${organization} AND a.id = ${id}`.pipe(
          Effect.map(first),
          forRequest
        ),
      findAnswering: (organization, id) =>
        sql`SELECT ${columns} FROM ${tables} WHERE a.organization_id = ${organization} AND a.is_active
          ORDER BY a.id = ${id}::uuid DESC NULLS LAST, a.id LIMIT 1`.pipe(Effect.map(first), forRequest),
      list: (organization, { isActive, search, transport }, request) =>
        Effect.gen(function* () {
          const where = [
            sql`a.organization_id = ${organization}`,
            ...(isActive === undefined ? [] : [sql`a.is_active = ${isActive}`]),
            ...(transport === undefined ? [] : [sql`a.transport = ${transport}`]),
            ...(search === undefined ? [] : [containsText(sql, search, ["a.name", "a.description"])])
          ]
          return yield* selectPage(sql, request, {
            columns: agentColumns,
            tables: agentTables,
            where,
            id: "a.id",
            read: agentFromRow
          })
        }).pipe(forRequest),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM ${tables}
              WHERE a.organization_id = ${organization} AND a.id = ${id} FOR UPDATE OF a`
          )
          if (Option.isNone(present)) return Option.none()
          const changed = decide(present.value)
          yield* sql`UPDATE voice_agents SET ${sql.update(settings(changed))}
            WHERE organization_id = ${organization} AND id = ${id}`
          yield* changeWebhook(present.value, changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
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
