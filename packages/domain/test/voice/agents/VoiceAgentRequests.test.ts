import { assert, describe, it } from "@effect/vitest"
import { voiceAgentEvents } from "@switchboard/domain/voice/agents/VoiceAgent"
import { CreateVoiceAgent, UpdateVoiceAgent } from "@switchboard/domain/voice/agents/VoiceAgentRequests"
import { Schema } from "effect"

const options = { errors: "all", onExcessProperty: "error" } as const
const takes = (given: object) =>
  Schema.decodeUnknownEither(CreateVoiceAgent, options)({ name: "Ada", ...given })._tag === "Right"
const url = "https://example.com/calls"

describe("A new voice agent", () => {
  it("needs a name alone", () => {
    assert.isTrue(takes({}))
    assert.isFalse(takes({ name: "" }))
    assert.isFalse(takes({ transport: "carrier pigeon" }))
    assert.isFalse(takes({ workflowId: "01a1fc1d-e1a0-7029-814e-d493ca640e3f" }))
  })

  it("has its calls told by events that calls have", () => {
    assert.isTrue(takes({ webhookConfig: { url } }))
    assert.isTrue(takes({ webhookConfig: { url, events: voiceAgentEvents, headers: { Authorization: "Bearer x" } } }))
    for (const webhookConfig of [
      { events: ["call.started"] },
      { url: "ftp://example.com" },
      { url, events: [] },
      { url, events: ["message.sent"] },
      { url, headers: { "webhook-id": "mine" } },
      { url, secret: "mine" }
    ]) {
      assert.isFalse(takes({ webhookConfig }), JSON.stringify(webhookConfig))
    }
  })
})

describe("A change of a voice agent", () => {
  it("takes away by null what may be left out", () => {
    const update = Schema.decodeUnknownEither(UpdateVoiceAgent, options)
    const none = { description: null, systemPrompt: null, voiceId: null, language: null, webhookConfig: null }
    assert.isTrue(update(none)._tag === "Right")
    for (const field of ["name", "transport", "isActive"])
      assert.isTrue(update({ [field]: null })._tag === "Left", field)
  })
})
