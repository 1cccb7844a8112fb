import { assert, describe, it } from "@effect/vitest"
import { SandboxCarrier } from "@switchboard/channels/voice/SandboxCarrier"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import type { CallEvent, ReportedEvent } from "@switchboard/domain/voice/calls/CallControl"
import type { CallLine } from "@switchboard/domain/voice/calls/CallProgress"
import { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import type { StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import { VoiceCallRepo } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { type Span, VoiceCarrier } from "@switchboard/services/voice/calls/VoiceCarrier"
import { Chunk, type Context, DateTime, Effect, Layer, Stream } from "effect"

const Sandbox = SandboxCarrier.pipe(Layer.provide(Layer.mock(VoiceCallRepo, {})))

const line = (speaker: CallLine["speaker"], atMs: number, durationMs: number): CallLine => ({
  ...{ speaker, atMs, durationMs },
  text: "Hello"
})

const recorded = Effect.fnUntraced(function* (lines: ReadonlyArray<CallLine>, spans: ReadonlyArray<Span>) {
  const { bytes, contentLength, contentType } = (yield* VoiceCarrier).recording(lines, spans)
  const wav = Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(bytes)))
  assert.deepStrictEqual([contentType, contentLength], ["audio/wav", wav.length])
  return wav
})

/** The frequency in Hz within a second, by upward zero crossings. */
const frequency = (wav: Buffer, second: number) => {
  let times = 0
  for (let at = 1; at < 8_000; at += 1) {
    const place = 44 + (second * 8_000 + at) * 2
    if (wav.readInt16LE(place - 2) <= 0 && wav.readInt16LE(place) > 0) times += 1
  }
  return times
}

describe("SandboxCarrier.recording", () => {
  it.effect("returns a WAV with correct lengths", () =>
    Effect.gen(function* () {
      const wav = yield* recorded([], [{ fromMs: 500, toMs: 25_500 }])
      assert.strictEqual(wav.length, 44 + 25 * 16_000)
      assert.strictEqual(wav.toString("latin1", 0, 4), "RIFF")
      assert.strictEqual(wav.readUInt32LE(4), wav.length - 8)
      assert.strictEqual(wav.toString("latin1", 8, 16), "WAVEfmt ")
      assert.deepStrictEqual(
        [wav.readUInt32LE(16), wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24)],
        [16, 1, 1, 8_000]
      )
      assert.deepStrictEqual([wav.readUInt32LE(28), wav.readUInt16LE(32), wav.readUInt16LE(34)], [16_000, 2, 16])
      assert.strictEqual(wav.toString("latin1", 36, 40), "data")
      assert.strictEqual(wav.readUInt32LE(40), wav.length - 44)
      assert.isTrue(wav.subarray(44).every((byte) => byte === 0))
    }).pipe(Effect.provide(Sandbox))
  )

  it.effect("plays one tone per speaker during their lines, across pieces and spans", () =>
    Effect.gen(function* () {
      const lines = [line("agent", 1_000, 1_000), line("caller", 2_000, 10_000), line("note", 13_000, 0)]
      const wav = yield* recorded(lines, [{ fromMs: 0, toMs: 14_000 }])
      assert.deepStrictEqual(
        [0, 1, 2, 9, 10, 11, 12, 13].map((second) => frequency(wav, second)),
        [0, 400, 250, 250, 250, 250, 0, 0]
      )
      const parts = yield* recorded(lines, [
        { fromMs: 1_000, toMs: 2_000 },
        { fromMs: 11_000, toMs: 13_000 }
      ])
      assert.deepStrictEqual(
        [parts.length, frequency(parts, 0), frequency(parts, 1), frequency(parts, 2)],
        [48_044, 400, 250, 0]
      )
    }).pipe(Effect.provide(Sandbox))
  )
})

const at = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")

/** A call at ten times the real speed. */
const callTo = (to: string): StoredCall => ({
  id: VoiceCallId.make("01a1fc1e-5e77-7d2f-8b1c-3a4b5c6d7e8f"),
  organizationId: OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f"),
  voiceAgentId: VoiceAgentId.make("01a1fc1d-d2b0-7c31-9a41-6f1de0a4b801"),
  ...{ transport: "pstn", direction: "outbound", to, status: "in_progress", initiatedAt: at, answeredAt: at },
  ...{ metadata: {}, speed: 10, originAt: at, untilMs: 0, recorded: [], createdAt: at, updatedAt: at }
})

/** What the sandbox reports while `use` runs: the time in real milliseconds, and the event. */
const reportsOf = Effect.fnUntraced(function* <A, E>(
  use: (carrier: Context.Tag.Service<VoiceCarrier>) => Effect.Effect<A, E>
) {
  const reports: Array<readonly [number, CallEvent]> = []
  const deliver = (_: object, reported: ReportedEvent) =>
    Effect.sync(() => void reports.push([reported.at, reported.event]))
  yield* Effect.provide(
    Effect.flatMap(VoiceCarrier, use),
    SandboxCarrier.pipe(Layer.provide(Layer.mock(VoiceCallRepo, { deliver })))
  )
  return reports
})

describe("SandboxCarrier", () => {
  it.effect("rings a number, and answers or ends as the number selects", () =>
    Effect.gen(function* () {
      const call = callTo("+442079460018")
      assert.deepStrictEqual(yield* reportsOf(({ dial }) => dial(call)), [
        [0, { _tag: "Ringing" }],
        [200, { _tag: "Answered", sessionId: `sandbox-session-${call.id}` }]
      ])
      const [, busy] = yield* reportsOf(({ dial }) => dial(callTo("+442079460001")))
      assert.deepInclude(busy?.[1], { _tag: "HungUp", reason: "busy" })
      assert.deepStrictEqual(
        (yield* reportsOf(({ execute }) => execute(call, { _tag: "Answer" }, 0))).map(([, event]) => event._tag),
        ["Answered"]
      )
    })
  )

  it.effect("ends each command with its event, in the time of the call", () =>
    Effect.gen(function* () {
      const call = callTo("+442079460018")
      const gather = (sandboxReply: string, prompt = "") =>
        reportsOf(({ execute }) =>
          execute(call, { _tag: "Gather", id: 2, prompt, timeoutMs: 5_000, hints: ["sales"], sandboxReply }, 1_000)
        )
      const sound = { of: 2, fromMs: 1_000, durationMs: 1_000, atMs: 2_300 }
      assert.deepStrictEqual(
        yield* reportsOf(({ execute }) => execute(call, { _tag: "Say", id: 2, text: "Hello" }, 1_000)),
        [[130, { _tag: "Media", ...sound }]]
      )
      assert.deepStrictEqual(yield* gather("12#"), [[130, { _tag: "Digits", ...sound, digits: "12#" }]])
      assert.deepStrictEqual(yield* gather("Hello"), [[130, { _tag: "Speech", ...sound, text: "Hello" }]])
      const prompt = "one two three four five"
      const later = { ...sound, fromMs: 3_300, atMs: 4_600 }
      assert.deepStrictEqual(yield* gather("Hello", prompt), [[360, { _tag: "Speech", ...later, text: "Hello" }]])
      const sooner = { ...sound, fromMs: 2_000, atMs: 3_300 }
      assert.deepStrictEqual(yield* gather("!Hello", prompt), [[230, { _tag: "Speech", ...sooner, text: "Hello" }]])
      assert.deepStrictEqual(yield* gather("", prompt), [[730, { _tag: "Silence", of: 2, atMs: 8_300 }]])
      assert.deepStrictEqual(yield* gather(""), [[500, { _tag: "Silence", of: 2, atMs: 6_000 }]])
      for (const _tag of ["Record", "StopRecording", "HangUp"] as const) {
        assert.isEmpty(yield* reportsOf(({ execute }) => execute(call, { _tag }, 0)))
      }
    })
  )
})
