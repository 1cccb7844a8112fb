import { assert, layer } from "@effect/vitest"
import { voiceCallExamples } from "@switchboard/api/openapi/examples/VoiceExamples"
import { Effect } from "effect"
import { call, LiveApi } from "../../LiveApi.js"

const { "voiceCalls.place": place } = voiceCallExamples

/** Creates the agent of the example and places a call. */
const placed = Effect.gen(function* () {
  const { body: agent } = yield* call("POST", "/v1/voice/agents", {
    body: { name: "Desk", transport: "pstn", language: "en-GB", voiceId: "alloy" }
  })
  const response = yield* call("POST", "/v1/voice/calls", { body: { ...place.request, voiceAgentId: agent.id } })
  assert.strictEqual(response.status, 201, response.text)
  return { agent, created: response.body }
})

layer(LiveApi.layer, { excludeTestServices: true })("Voice calls", (it) => {
  it.effect("match the examples of the document", () =>
    Effect.gen(function* () {
      const { agent, created } = yield* placed
      const { createdAt, id, updatedAt, voiceAgentId } = created
      // The organization of the test has no number.
      const { phoneNumberId: _, ...example } = place.response
      const { conversationId } = created
      assert.isString(conversationId)
      assert.deepStrictEqual(created, { ...example, createdAt, id, updatedAt, voiceAgentId, conversationId })
      assert.deepStrictEqual([voiceAgentId, createdAt], [agent.id, updatedAt])
      assert.deepStrictEqual((yield* call("GET", `/v1/voice/calls/${id}`)).body, created)
      assert.deepStrictEqual((yield* call("GET", `/v1/voice/calls/${id}/transcript`)).body, {
        callId: id,
        hasTranscript: false
      })
      const { body } = yield* call("GET", `/v1/voice/calls?filters=${encodeURIComponent('{"status":"queued"}')}`)
      assert.deepStrictEqual(body.items[0], created)
    })
  )

  it.effect("are hung up and recorded only while in progress", () =>
    Effect.gen(function* () {
      const { created } = yield* placed
      const path = `/v1/voice/calls/${created.id}`
      for (const what of ["recording/start", "recording/stop"]) {
        const response = yield* call("POST", `${path}/${what}`, { body: {} })
        assert.deepStrictEqual([response.status, response.body.resource], [409, "voiceCall"])
        assert.include(response.body.message, "not answered yet")
      }
      assert.strictEqual((yield* call("POST", `${path}/hangup`, { body: { now: true } })).status, 422)
      assert.deepStrictEqual((yield* call("POST", `${path}/hangup`)).body, { success: true })
      assert.strictEqual((yield* call("GET", path)).body.status, "cancelled")
      const again = yield* call("POST", `${path}/hangup`)
      assert.deepStrictEqual([again.status, again.body.message], [409, "The call is over: it is cancelled"])
    })
  )

  const refused = [
    [{ sandbox: { speed: 0 } }, { "sandbox.speed": "must be a number from 1 to 100" }],
    [{ sandbox: { answer: "Yes" } }, { "sandbox.answer": "is not a known field" }],
    [{ to: "+1" }, { to: "must be a phone number in E.164 form, like +442079460018" }],
    [{ to: "+44207946001" + "812" }, { to: "is not a number that can be called" }]
  ] as const
  it.effect.each(refused)("reject %j", ([given, fields]) =>
    Effect.gen(function* () {
      const response = yield* call("POST", "/v1/voice/calls", { body: { ...place.request, ...given } })
      assert.deepStrictEqual(
        [response.status, response.body.fields],
        [422, Object.fromEntries(Object.entries(fields).map(([field, sentence]) => [field, [sentence]]))]
      )
    })
  )
})
