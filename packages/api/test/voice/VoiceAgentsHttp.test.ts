import { assert, layer } from "@effect/vitest"
import { voiceAgentExamples } from "@switchboard/api/openapi/examples/VoiceExamples"
import { Effect } from "effect"
import { call, LiveApi } from "../LiveApi.js"

const webhookConfig = { url: "https://example.com/calls", headers: { "X-Team": "desk" }, events: ["call.started"] }

const created = (body: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(call("POST", "/v1/voice/agents", { body: { name: "Desk", ...body } }), (response) => {
    assert.strictEqual(response.status, 201, response.text)
    return response.body
  })

layer(LiveApi.layer, { excludeTestServices: true })("Voice agents", (it) => {
  it.effect("match the examples of the document, and show their secret once", () =>
    Effect.gen(function* () {
      const { "voiceAgents.create": create, "voiceAgents.update": update } = voiceAgentExamples
      const { createdAt, id, updatedAt, webhookConfig: config, ...rest } = yield* created(create.request)
      const { createdAt: _, id: __, updatedAt: ___, webhookConfig: expected, ...example } = create.response
      assert.deepStrictEqual(rest, example)
      assert.deepStrictEqual({ ...config, secret: "" }, { ...expected, secret: "" })
      assert.match(config.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.strictEqual(createdAt, updatedAt)
      const { secret, ...shown } = config
      const found = yield* call("GET", `/v1/voice/agents/${id}`)
      assert.deepStrictEqual(found.body, { ...rest, id, createdAt, updatedAt, webhookConfig: shown })
      const changed = yield* call("PATCH", `/v1/voice/agents/${id}`, { body: update.request })
      assert.deepStrictEqual([changed.status, changed.body.language], [200, "de-DE"])
      assert.notProperty(changed.body, "systemPrompt")
      assert.deepStrictEqual(changed.body.webhookConfig, shown)
    })
  )

  it.effect("have the default transport, are active and have no other defaults", () =>
    Effect.gen(function* () {
      const { createdAt: _, id: __, organizationId: ___, updatedAt: ____, ...rest } = yield* created()
      assert.deepStrictEqual(rest, { name: "Desk", transport: "webrtc", isActive: true })
    })
  )

  it.effect("keep their secret when the webhook changes, and get a new one after a removal", () =>
    Effect.gen(function* () {
      const { id } = yield* created({ webhookConfig })
      const patch = (body: unknown) =>
        Effect.map(call("PATCH", `/v1/voice/agents/${id}`, { body }), (response) => response.body)
      const url = "https://example.com/other"
      const moved = yield* patch({ webhookConfig: { url } })
      assert.deepStrictEqual(moved.webhookConfig.url, url)
      assert.deepStrictEqual(Object.keys(moved.webhookConfig), ["url", "events"])
      assert.strictEqual(moved.webhookConfig.events.length, 6)
      assert.notProperty(yield* patch({ webhookConfig: null }), "webhookConfig")
      const again = yield* patch({ webhookConfig: { url } })
      assert.match(again.webhookConfig.secret, /^whsec_/)
    })
  )

  it.effect("are duplicated under the given name or as a copy", () =>
    Effect.gen(function* () {
      const {
        createdAt: _,
        id,
        updatedAt: __,
        ...original
      } = yield* created({ webhookConfig, voiceId: "v", isActive: false })
      const path = `/v1/voice/agents/${id}/duplicate`
      const named = yield* call("POST", path, { body: { name: "Night" } })
      assert.strictEqual(named.status, 201)
      assert.deepInclude(named.body, { name: "Night", voiceId: "v", isActive: false, webhookConfig })
      assert.notStrictEqual(named.body.id, id)
      for (const body of [undefined, {}]) {
        const copy = yield* call("POST", path, body === undefined ? {} : { body })
        assert.deepInclude(copy.body, { name: `${original.name} (copy)`, webhookConfig })
      }
      const long = yield* created({ name: "x".repeat(200) })
      const copy = yield* call("POST", `/v1/voice/agents/${long.id}/duplicate`)
      assert.strictEqual(copy.body.name, `${"x".repeat(193)} (copy)`)
    })
  )

  it.effect("hide header values from keys without voice.write", () =>
    Effect.gen(function* () {
      const { id } = yield* created({ name: "Secretive", webhookConfig })
      const { body } = yield* call("POST", "/v1/api-keys", { body: { name: "n", permissions: { voice: ["read"] } } })
      const masked = { ...webhookConfig, headers: { "X-Team": "…" } }
      const one = yield* call("GET", `/v1/voice/agents/${id}`, { key: body.key })
      assert.deepStrictEqual(one.body.webhookConfig, masked)
      const list = yield* call("GET", "/v1/voice/agents", { key: body.key })
      assert.deepStrictEqual(list.body.items.find((agent: { id: string }) => agent.id === id).webhookConfig, masked)
    })
  )
})
