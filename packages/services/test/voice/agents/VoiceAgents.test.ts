import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { VoiceAgent, VoiceAgentFilters } from "@switchboard/domain/voice/agents/VoiceAgent"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { SecretBox } from "@switchboard/services/SecretBox"
import { VoiceAgentRepo } from "@switchboard/services/voice/agents/VoiceAgentRepo"
import { VoiceAgents } from "@switchboard/services/voice/agents/VoiceAgents"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Array, DateTime, Effect, Option, Redacted } from "effect"
import { v7 } from "uuid"
import { VoiceLive } from "../VoiceLive.js"

const webhookConfig = { url: "https://example.com/calls", headers: { Authorization: "Bearer hush" } }
const firstPage = { page: 1, limit: 20 }
const view = { withHeaders: true }

const withoutSecret = ({ webhookConfig: given, ...agent }: VoiceAgent) => {
  const { secret: _, ...rest } = given ?? { secret: undefined }
  return { ...agent, ...(given === undefined ? {} : { webhookConfig: rest }) }
}

const plain = (agent: object) => JSON.parse(JSON.stringify(agent))

layer(VoiceLive, { excludeTestServices: true })("VoiceAgents on PostgreSQL", (it) => {
  it.effect("stores and updates an agent", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const own = yield* makeOrganization()
      const full = {
        description: "d",
        systemPrompt: "s",
        voiceId: "v",
        language: "en",
        transport: "pstn",
        isActive: false
      } as const
      const created = yield* agents.create(own, { name: "Desk", ...full, webhookConfig })
      assert.deepStrictEqual(plain(yield* agents.get(own, created.id, view)), plain(withoutSecret(created)))
      const changed = yield* agents.update(own, created.id, {
        name: "Night",
        description: null,
        systemPrompt: null,
        voiceId: null,
        language: null,
        transport: "webrtc",
        webhookConfig: null,
        isActive: true
      })
      const { createdAt, id, organizationId, updatedAt } = changed
      assert.deepStrictEqual(
        plain(changed),
        plain({ id, organizationId, name: "Night", transport: "webrtc", isActive: true, createdAt, updatedAt })
      )
      assert.isTrue(DateTime.greaterThanOrEqualTo(updatedAt, created.updatedAt))
      assert.deepStrictEqual(plain(yield* agents.get(own, id, view)), plain(changed))
      assert.deepStrictEqual(plain(yield* agents.update(own, id, {})).name, "Night")
    })
  )

  it.effect("encrypts headers and secret for each agent; a copy has the same secret", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const box = yield* SecretBox
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const created = yield* agents.create(own, { name: "Desk", webhookConfig })
      const copy = yield* agents.duplicate(own, created.id, {})
      assert.isUndefined(copy.webhookConfig?.secret)
      const rows = yield* sql<{ id: string; text: string }>`SELECT id::text, voice_agents::text AS text
        FROM voice_agents WHERE organization_id = ${own}`
      assert.strictEqual(rows.length, 2)
      for (const { text } of rows) {
        assert.notInclude(text, "hush")
        assert.notInclude(text, Buffer.from("hush").toString("hex"))
      }
      for (const { id } of [created, copy]) {
        const repo = yield* VoiceAgentRepo
        const webhook = Option.getOrThrow(yield* repo.find(own, id)).webhook
        assert.isNotNull(webhook)
        if (webhook === null || webhook.headers === null) continue
        const secret = yield* box.open(secretPurpose, id, webhook.secret)
        assert.strictEqual(Redacted.value(secret), created.webhookConfig?.secret)
        const headers = yield* box.open(headersPurpose, id, webhook.headers)
        assert.deepStrictEqual(JSON.parse(Redacted.value(headers)), webhookConfig.headers)
        assert.strictEqual((yield* Effect.flip(box.open(secretPurpose, v7(), webhook.secret)))._tag, "SecretUnreadable")
      }
    })
  )

  it.effect("applies concurrent updates without losing one", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const own = yield* makeOrganization()
      const { id } = yield* agents.create(own, { name: "Desk" })
      const fields = ["description", "systemPrompt", "voiceId", "language"] as const
      yield* Effect.forEach(fields, (field) => agents.update(own, id, { [field]: field }), { concurrency: "unbounded" })
      const found = yield* agents.get(own, id, view)
      assert.deepStrictEqual(
        fields.map((field) => found[field]),
        [...fields]
      )
    })
  )

  it.effect("stores one webhook if concurrent updates add it", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const own = yield* makeOrganization()
      const { id } = yield* agents.create(own, { name: "Desk" })
      const urls = Array.makeBy(8, (index) => `https://example.com/${index}`)
      yield* Effect.forEach(urls, (url) => agents.update(own, id, { webhookConfig: { url } }), {
        concurrency: "unbounded"
      })
      const { webhookConfig: stored } = yield* agents.get(own, id, view)
      assert.include(urls, stored?.url ?? "")
    })
  )

  it.effect("lists agents newest first, filtered", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const own = yield* makeOrganization()
      yield* agents.create(own, { name: "Shop 100%", transport: "pstn" })
      yield* agents.create(own, { name: "Blog", description: "of the SHOP", isActive: false })
      yield* agents.create(own, { name: "Third" })
      const names = (filters: VoiceAgentFilters, request = firstPage) =>
        Effect.map(agents.list(own, filters, request, view), ({ items, pagination }) => [
          items.map(({ name }) => name),
          pagination.total
        ])
      assert.deepStrictEqual(yield* names({}), [["Third", "Blog", "Shop 100%"], 3])
      assert.deepStrictEqual(yield* names({}, { page: 2, limit: 2 }), [["Shop 100%"], 3])
      assert.deepStrictEqual(yield* names({ search: "shop" }), [["Blog", "Shop 100%"], 2])
      assert.deepStrictEqual(yield* names({ search: "0%" }), [["Shop 100%"], 1])
      assert.deepStrictEqual(yield* names({ isActive: false }), [["Blog"], 1])
      assert.deepStrictEqual(yield* names({ isActive: true, transport: "webrtc" }), [["Third"], 1])
    })
  )

  it.effect("shows the webhook of an agent as an endpoint, which is changed and removed with the agent", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const endpoints = yield* WebhookEndpoints
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const author = { organizationId: own, apiKeyId: ApiKeyId.make(v7()) }
      const agent = yield* agents.create(own, {
        name: "Desk",
        webhookConfig: { ...webhookConfig, events: ["call.ended"] }
      })
      const id = WebhookEndpointId.make(agent.id)
      const { items } = yield* endpoints.list(own, {}, firstPage)
      assert.deepStrictEqual(
        items.map((one) => [one.id, one.type, one.name, one.configuration]),
        [
          [
            id,
            "voice_agent",
            "Desk",
            { url: webhookConfig.url, events: ["call.ended"], headers: { Authorization: "…" } }
          ]
        ]
      )
      for (const refused of [endpoints.update(author, id, { url: "https://example.org" }), endpoints.remove(own, id)]) {
        assert.strictEqual((yield* Effect.flip(refused))._tag, "ConflictError")
      }
      assert.strictEqual((yield* endpoints.update(author, id, { status: "paused" })).status, "paused")
      yield* agents.update(own, agent.id, { name: "Night", webhookConfig: { url: "https://example.org" } })
      const changed = yield* endpoints.get(own, id)
      assert.deepStrictEqual(
        [changed.name, changed.configuration.url, changed.configuration.headers, changed.status],
        ["Night", "https://example.org", undefined, "paused"]
      )
      yield* sql`UPDATE webhook_endpoints SET status = 'disabled' WHERE id = ${id}`
      yield* agents.update(own, agent.id, { name: "Day" })
      assert.strictEqual((yield* endpoints.get(own, id)).status, "disabled")
      yield* agents.update(own, agent.id, { webhookConfig: { url: "https://example.org" } })
      assert.strictEqual((yield* endpoints.get(own, id)).status, "active")
      yield* agents.update(own, agent.id, { webhookConfig: null })
      assert.strictEqual((yield* Effect.flip(endpoints.get(own, id)))._tag, "ResourceNotFoundError")
      assert.isEmpty(yield* sql`SELECT 1 FROM secrets WHERE organization_id = ${own}`)
      const { webhookConfig: again } = yield* agents.update(own, agent.id, { webhookConfig })
      assert.match(again?.secret ?? "", /^whsec_/)
      yield* agents.remove(own, agent.id)
      assert.isEmpty((yield* endpoints.list(own, {}, firstPage)).items)
    })
  )
})
