import { SqlClient } from "@effect/sql"
import { page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import { type StoredVoiceAgent, VoiceAgentRepo } from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts } from "../../database/Unavailable.js"
import { found } from "../../Search.js"
import { agentColumns, agentFromRow } from "./VoiceAgentRows.js"

const octets = (sealed: Uint8Array | null | undefined) => (sealed == null ? null : Buffer.from(sealed))

/** What of an agent can change, by its column. */
const settings = (agent: StoredVoiceAgent) => ({
  name: agent.name,
  description: agent.description,
  system_prompt: agent.systemPrompt,
  voice_id: agent.voiceId,
  language: agent.language,
  transport: agent.transport,
  webhook_url: agent.webhook?.url ?? null,
  webhook_events: agent.webhook?.events ?? null,
  webhook_headers: octets(agent.webhook?.headers),
  webhook_secret: octets(agent.webhook?.secret),
  is_active: agent.isActive,
  updated_at: DateTime.toDateUtc(agent.updatedAt)
})

/** Agents in `voice_agents`; which workflow each has stands with the workflow. */
export const VoiceAgentRepoSql = Layer.effect(
  VoiceAgentRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(agentColumns)
    const first = (rows: ReadonlyArray<object>) => Option.map(Option.fromNullable(rows[0]), agentFromRow)

    return {
      insert: (agent) =>
        sql`INSERT INTO voice_agents ${sql.insert({
          organization_id: agent.organizationId,
          id: agent.id,
          created_at: DateTime.toDateUtc(agent.createdAt),
          ...settings(agent)
        })}`.pipe(Effect.asVoid, forCaller),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM voice_agents AS a WHERE a.organization_id = ${organization} AND a.id = ${id}`.pipe(
          Effect.map(first),
          forCaller
        ),
      list: (organization, { isActive, search, transport }, request) =>
        Effect.gen(function* () {
          const where = sql.and([
            sql`a.organization_id = ${organization}`,
            ...(isActive === undefined ? [] : [sql`a.is_active = ${isActive}`]),
            ...(transport === undefined ? [] : [sql`a.transport = ${transport}`]),
            ...(search === undefined ? [] : [found(sql, search, ["a.name", "a.description"])])
          ])
          const rows = yield* sql`SELECT ${columns} FROM voice_agents AS a WHERE ${where}
            ORDER BY a.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}`
          const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
            FROM voice_agents AS a WHERE ${where}`
          return page(yield* readableRows(rows, agentFromRow), count?.total ?? 0, request)
        }).pipe(forCaller),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          const present = first(
            yield* sql`SELECT ${columns} FROM voice_agents AS a
              WHERE a.organization_id = ${organization} AND a.id = ${id} FOR UPDATE`
          )
          if (Option.isNone(present)) return Option.none()
          const changed = decide(present.value)
          yield* sql`UPDATE voice_agents SET ${sql.update(settings(changed))}
            WHERE organization_id = ${organization} AND id = ${id}`
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forCaller),
      remove: (organization, id) =>
        Effect.gen(function* () {
          // Whoever gives it a workflow just now is waited for, or waits and finds it gone.
          const agents = yield* sql`SELECT id FROM voice_agents
            WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          if (agents.length === 0) return false
          yield* sql`UPDATE voice_workflows SET voice_agent_id = NULL, updated_at = now()
            WHERE organization_id = ${organization} AND voice_agent_id = ${id}`
          yield* sql`DELETE FROM voice_agents WHERE organization_id = ${organization} AND id = ${id}`
          return true
        }).pipe(sql.withTransaction, retryConflicts, forCaller)
    }
  })
)
