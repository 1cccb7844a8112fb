import { assert, layer } from "@effect/vitest"
import { voiceAgentExamples } from "@switchboard/api/voice/agents/VoiceAgentExamples"
import { Effect } from "effect"
import { call, LiveApi } from "../LiveApi.js"

const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3f"

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

  const refused = [
    [{}, { name: "is required" }],
    [
      { name: "n", transport: "sip", isActive: "yes" },
      { transport: "must be one of webrtc, pstn", isActive: "must be true or false" }
    ],
    [{ name: "n", workflowId: unknown }, { workflowId: "is not a known field" }],
    [{ name: "n", webhookConfig: {} }, { "webhookConfig.url": "is required" }],
    [
      { name: "n", webhookConfig: { url: "https://example.com", events: ["message.sent", "call.started"] } },
      {
        "webhookConfig.events.0":
          "must be one of call.started, call.answered, call.ended, call.failed, recording.ready, transcript.ready"
      }
    ]
  ] as const
  it.effect.each(refused)("reject %j", ([body, fields]) =>
    Effect.gen(function* () {
      const response = yield* call("POST", "/v1/voice/agents", { body })
      assert.deepStrictEqual(
        [response.status, response.body.fields],
        [422, Object.fromEntries(Object.entries(fields).map(([field, sentence]) => [field, [sentence]]))]
      )
    })
  )

  it.effect("reject webhooks to private addresses", () =>
    Effect.gen(function* () {
      const { id } = yield* created()
      const body = { name: "n", webhookConfig: { url: "https://192.168.1.1/x" } }
      for (const response of [
        yield* call("POST", "/v1/voice/agents", { body }),
        yield* call("PATCH", `/v1/voice/agents/${id}`, { body })
      ]) {
        assert.strictEqual(response.status, 422)
        assert.deepStrictEqual(Object.keys(response.body.fields), ["webhookConfig.url"])
        assert.include(response.text, "NETWORK_ALLOW")
      }
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

  it.effect("are not found after removal", () =>
    Effect.gen(function* () {
      const { id } = yield* created()
      assert.deepStrictEqual((yield* call("DELETE", `/v1/voice/agents/${id}`)).body, { success: true })
      for (const method of ["GET", "DELETE"]) {
        const { body, status } = yield* call(method, `/v1/voice/agents/${id}`)
        assert.deepStrictEqual([status, body], [404, { _tag: "ResourceNotFoundError", resource: "voiceAgent", id }])
      }
    })
  )

  it.effect("are listed by known filters only", () =>
    Effect.gen(function* () {
      const { id } = yield* created({ name: "Findable" })
      const filtered = (filters: string) => call("GET", `/v1/voice/agents?filters=${encodeURIComponent(filters)}`)
      const { body } = yield* filtered('{"search":"Findable","isActive":true,"transport":"webrtc"}')
      assert.deepStrictEqual([body.items.map((one: { id: string }) => one.id), body.pagination.total], [[id], 1])
      for (const filters of ['{"name":"x"}', '{"isActive":"true"}', '{"transport":"x"}']) {
        assert.strictEqual((yield* filtered(filters)).status, 400, filters)
      }
    })
  )
})
