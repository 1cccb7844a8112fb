import { assert, describe, it } from "@effect/vitest"
import { SandboxCarrier } from "@switchboard/channels/voice/SandboxCarrier"
import type { CallLine } from "@switchboard/domain/voice/calls/CallProgress"
import { VoiceCallRepo } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { type Span, VoiceCarrier } from "@switchboard/services/voice/calls/VoiceCarrier"
import { Chunk, Effect, Layer, Stream } from "effect"

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
