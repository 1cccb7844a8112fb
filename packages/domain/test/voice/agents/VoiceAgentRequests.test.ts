import { assert, describe, it } from "@effect/vitest"
import { CreateVoiceAgent, voiceAgentEvents } from "@switchboard/domain/voice/agents/VoiceAgent"
import { Schema } from "effect"

const options = { errors: "all", onExcessProperty: "error" } as const
const isValid = (given: object) =>
  Schema.decodeUnknownEither(CreateVoiceAgent, options)({ name: "Ada", ...given })._tag === "Right"
const url = "https://example.com/calls"

describe("A new voice agent", () => {
  it("requires only a name", () => {
    assert.isTrue(isValid({}))
    assert.isFalse(isValid({ name: "" }))
    assert.isFalse(isValid({ transport: "carrier pigeon" }))
    assert.isFalse(isValid({ workflowId: "01a1fc1d-e1a0-7029-814e-d493ca640e3f" }))
  })

  it("accepts a webhook with events of calls", () => {
    assert.isTrue(isValid({ webhookConfig: { url } }))
    assert.isTrue(isValid({ webhookConfig: { url, events: voiceAgentEvents, headers: { Authorization: "Bearer x" } } }))
    for (const webhookConfig of [
      { events: ["call.started"] },
      { url: "ftp://example.com" },
      { url, events: [] },
      { url, events: ["message.sent"] },
      { url, headers: { "webhook-id": "mine" } },
      { url, secret: "mine" }
    ]) {
      assert.isFalse(isValid({ webhookConfig }), JSON.stringify(webhookConfig))
    }
  })
})
