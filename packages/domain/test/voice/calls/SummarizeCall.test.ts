import { assert, describe, it } from "@effect/vitest"
import type { CallLine } from "@switchboard/domain/voice/calls/CallProgress"
import { summarizeCall } from "@switchboard/domain/voice/calls/SummarizeCall"

const line = (speaker: CallLine["speaker"]): CallLine => ({ atMs: 0, durationMs: 1_000, speaker, text: "Hello" })

const call = {
  agentName: "Front desk",
  lines: [line("agent"), line("caller"), line("note"), line("agent")],
  durationMs: 63_400,
  chosen: undefined,
  endedBy: "workflow",
  transferredTo: null
} as const

describe("The summary of a call", () => {
  it("contains turns, duration, the choice and how it ended", () => {
    assert.strictEqual(
      summarizeCall({ ...call, chosen: "Book a room" }),
      "Front desk spoke twice and the caller once, in 1 minute 3 seconds. The caller chose Book a room. " +
        "The workflow came to its end."
    )
  })

  it("contains silence and the hangup", () => {
    assert.strictEqual(
      summarizeCall({ ...call, lines: [], durationMs: 400, endedBy: "hangup" }),
      "Front desk and the caller said nothing, in 0 seconds. The call was hung up."
    )
    assert.strictEqual(
      summarizeCall({ ...call, lines: [line("agent"), line("agent"), line("agent")], durationMs: 120_000 }),
      "Front desk spoke 3 times and the caller not at all, in 2 minutes. The workflow came to its end."
    )
  })

  it("contains the transfer destination", () => {
    assert.strictEqual(
      summarizeCall({ ...call, durationMs: 1_000, endedBy: "transfer", transferredTo: "+4930123456" }),
      "Front desk spoke twice and the caller once, in 1 second. It was transferred to +4930123456."
    )
  })

  it('uses "The agent" without a name', () => {
    assert.match(summarizeCall({ ...call, agentName: undefined }), /^The agent spoke twice and the caller once/)
  })
})
