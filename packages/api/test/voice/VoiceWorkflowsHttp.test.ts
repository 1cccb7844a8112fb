import { assert, layer } from "@effect/vitest"
import { voiceWorkflowExamples } from "@switchboard/api/openapi/examples/VoiceExamples"
import { Effect } from "effect"
import { call, LiveApi } from "../LiveApi.js"

const start = { id: "start", type: "trigger.callStarted" }

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
      const changed = yield* call("PATCH", `/v1/voice/workflows/${id}`, {
        body: { ...update.request, isEnabled: false }
      })
      assert.deepInclude(changed.body, { ...update.request, isEnabled: false, version: 0, nodes: example.nodes })
      const removed = yield* call("DELETE", `/v1/voice/workflows/${id}`)
      assert.deepStrictEqual([removed.status, removed.body], [200, { success: true }])
    })
  )
})
