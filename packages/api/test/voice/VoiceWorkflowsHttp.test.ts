import { assert, layer } from "@effect/vitest"
import { voiceWorkflowExamples } from "@switchboard/api/voice/workflows/VoiceWorkflowExamples"
import { Effect } from "effect"
import { call, keys, LiveApi } from "../LiveApi.js"

const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3f"
const start = { id: "start", type: "trigger.callStarted" }
const speak = (id: string) => ({ id, type: "action.speak", data: { config: { text: "Hello" } } })
const edge = (source: string, target: string, more: object = {}) => ({
  id: `${source} ${target}`,
  source,
  target,
  ...more
})

const newResource = (body: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(
    call("POST", "/v1/voice/workflows", { body: { name: "Flow", nodes: [start], edges: [], ...body } }),
    (response) => {
      assert.strictEqual(response.status, 201, response.text)
      return response.body
    }
  )

layer(LiveApi.layer, { excludeTestServices: true })("Voice workflows", (it) => {
  it.effect("match the examples of the document", () =>
    Effect.gen(function* () {
      const { "voiceWorkflows.create": create, "voiceWorkflows.update": update } = voiceWorkflowExamples
      const { createdAt, id, updatedAt, ...created } = yield* newResource(create.request)
      const { createdAt: _, id: __, updatedAt: ___, ...example } = create.response
      assert.deepStrictEqual(created, example)
      const found = yield* call("GET", `/v1/voice/workflows/${id}`)
      assert.deepStrictEqual(found.body, { ...created, createdAt, id, updatedAt })
      const changed = yield* call("PATCH", `/v1/voice/workflows/${id}`, { body: update.request })
      assert.deepInclude(changed.body, { isEnabled: false, version: 0, nodes: example.nodes })
      const removed = yield* call("DELETE", `/v1/voice/workflows/${id}`)
      assert.deepStrictEqual([removed.status, removed.body], [200, { success: true }])
    })
  )

  it.effect("publish the draft graph and increment the version", () =>
    Effect.gen(function* () {
      const { id, publishedNodes } = yield* newResource({ viewport: { x: 1, y: 2, zoom: 0.5 } })
      assert.isUndefined(publishedNodes)
      const publish = (body?: unknown) =>
        call("POST", `/v1/voice/workflows/${id}/publish`, body === undefined ? {} : { body })
      const first = yield* publish()
      assert.strictEqual(first.status, 200, first.text)
      assert.deepInclude(first.body, {
        version: 1,
        publishedNodes: [start],
        publishedEdges: [],
        publishedViewport: { x: 1, y: 2, zoom: 0.5 }
      })
      assert.strictEqual(first.body.publishedAt, first.body.updatedAt)
      const nodes = [start, speak("a")]
      const patched = yield* call("PATCH", `/v1/voice/workflows/${id}`, { body: { nodes, viewport: null } })
      assert.deepInclude(patched.body, { nodes, version: 1, publishedNodes: [start] })
      const second = yield* publish({})
      assert.deepInclude(second.body, { version: 2, publishedNodes: nodes })
      assert.notProperty(second.body, "publishedViewport")
      assert.strictEqual((yield* publish({})).body.version, 3)
      assert.deepStrictEqual((yield* publish({ force: true })).body.fields, { force: ["is not a known field"] })
    })
  )

  const refused = [
    [{}, { nodes: ["is required"], edges: ["is required"] }],
    [
      { nodes: [], edges: [] },
      { nodes: ["must have a trigger: a node of the type trigger.callStarted or trigger.callEnded"] }
    ],
    [{ nodes: [start], edges: [edge("start", "gone")] }, { "edges.0.target": ["is not the id of a node"] }],
    [
      { nodes: [start, speak("a")], edges: [edge("start", "a"), edge("a", "a")] },
      {
        "edges.1": ["closes a loop without a wait (a → a): put an action.listen, action.menu or logic.delay into it"]
      }
    ],
    [
      { nodes: [start, { id: "a", type: "action.dance" }], edges: [] },
      {
        "nodes.1.type": [
          "must be one of trigger.callStarted, trigger.callEnded, action.speak, action.listen, action.menu, action.transfer, action.sendMessage, action.httpRequest, action.hangup, logic.condition, logic.delay, ai.respond"
        ]
      }
    ],
    [{ nodes: [start, { id: "a", type: "action.speak" }], edges: [] }, { "nodes.1.data": ["is required"] }],
    [
      { nodes: [start, { id: "a", type: "action.speak", data: { config: { say: "x" } } }], edges: [] },
      { "nodes.1.data.config.text": ["is required"] }
    ],
    [
      {
        nodes: [start, { id: "a", type: "action.menu", data: { config: { items: [{ id: "x", label: "" }] } } }],
        edges: [edge("start", "b")]
      },
      {
        "nodes.1.data.config.items.0.label": ["must have 1 to 200 characters"],
        "edges.0.target": ["is not the id of a node"]
      }
    ],
    [{ nodes: [{ ...start, width: 3 }], edges: [] }, { "nodes.0.width": ["is not a known field"] }],
    [
      {
        nodes: [
          start,
          { id: "h", type: "action.httpRequest", data: { config: { url: "https://10.0.0.1", method: "GET" } } }
        ],
        edges: []
      },
      { "nodes.1.data.config.url": [/NETWORK_ALLOW/] }
    ]
  ] as const
  it.effect.each(refused)("reject %j", ([body, fields]) =>
    Effect.gen(function* () {
      const response = yield* call("POST", "/v1/voice/workflows", { body: { name: "n", ...body } })
      assert.strictEqual(response.status, 422, response.text)
      assert.deepStrictEqual(Object.keys(response.body.fields), Object.keys(fields))
      for (const [field, sentences] of Object.entries(fields)) {
        const [sentence] = sentences
        if (sentence instanceof RegExp) assert.match(response.body.fields[field].join(), sentence)
        else assert.deepStrictEqual(response.body.fields[field], sentences)
      }
    })
  )

  it.effect("validate the complete graph when nodes or edges change", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ nodes: [start, speak("a")], edges: [edge("start", "a")] })
      const patch = (body: unknown) => call("PATCH", `/v1/voice/workflows/${id}`, { body })
      const without = yield* patch({ nodes: [start] })
      assert.deepStrictEqual(
        [without.status, without.body.fields],
        [422, { "edges.0.target": ["is not the id of a node"] }]
      )
      const looped = yield* patch({ edges: [edge("a", "a")] })
      assert.deepStrictEqual([looped.status, Object.keys(looped.body.fields)], [422, ["edges.0"]])
      assert.strictEqual((yield* patch({ nodes: [start], edges: [] })).status, 200)
      assert.strictEqual((yield* patch({ nodes: [] })).status, 422)
    })
  )

  it.effect("are linked with an agent, which shows the link", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource()
      const agent = (yield* call("POST", "/v1/voice/agents", { body: { name: "Desk" } })).body
      for (const body of [{}, undefined]) {
        const linked = yield* call(
          "POST",
          `/v1/voice/workflows/${id}/link/${agent.id}`,
          body === undefined ? {} : { body }
        )
        assert.deepStrictEqual([linked.status, linked.body.voiceAgentId], [200, agent.id])
      }
      assert.strictEqual((yield* call("GET", `/v1/voice/agents/${agent.id}`)).body.workflowId, id)
      const rejected = yield* call("POST", `/v1/voice/workflows/${id}/link/${agent.id}`, { body: { agent: "x" } })
      assert.strictEqual(rejected.status, 422)
      const theirs = (yield* call("POST", "/v1/voice/agents", {
        body: { name: "Theirs" },
        key: keys.otherOrganization
      })).body
      for (const of of [theirs.id, unknown]) {
        const { body, status } = yield* call("POST", `/v1/voice/workflows/${id}/link/${of}`)
        assert.deepStrictEqual([status, body], [404, { _tag: "ResourceNotFoundError", resource: "voiceAgent", id: of }])
      }
    })
  )

  it.effect("are listed by known filters only", () =>
    Effect.gen(function* () {
      const { id } = yield* newResource({ name: "Findable" })
      const filtered = (filters: string) => call("GET", `/v1/voice/workflows?filters=${encodeURIComponent(filters)}`)
      const { body } = yield* filtered('{"search":"Findable","isEnabled":true}')
      assert.deepStrictEqual([body.items.map((one: { id: string }) => one.id), body.pagination.total], [[id], 1])
      for (const filters of ['{"name":"x"}', '{"isEnabled":"true"}', '{"voiceAgentId":"x"}']) {
        assert.strictEqual((yield* filtered(filters)).status, 400, filters)
      }
    })
  )
})
