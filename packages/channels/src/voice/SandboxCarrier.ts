import type { CallLine } from "@switchboard/domain/voice/calls/CallProgress"
import { playWorkflow } from "@switchboard/domain/voice/calls/PlayWorkflow"
import type { RingResult } from "@switchboard/services/voice/calls/StoredCall"
import { type Span, VoiceCarrier } from "@switchboard/services/voice/calls/VoiceCarrier"
import { Effect, Layer, Stream } from "effect"

/** In samples per second (telephone quality); 16 bits, one channel. */
const sampleRate = 8_000
const bytesOfSample = 2
const headerBytes = 44

/** The length of the generated pieces. */
const pieceMs = 10_000

/** The amplitude of a tone; at most 1. */
const volume = 0.25

const samplesOf = (ms: number) => Math.round((ms * sampleRate) / 1_000)

/** A sine tone with a period of whole samples, so that a copy can start at any phase. */
const tone = (samplesOfPeriod: number) => {
  const bytes = Buffer.alloc((samplesOf(pieceMs) + samplesOfPeriod) * bytesOfSample)
  for (let at = 0; at < bytes.length / bytesOfSample; at += 1) {
    const value = Math.round(32_767 * volume * Math.sin((2 * Math.PI * at) / samplesOfPeriod))
    bytes.writeInt16LE(value, at * bytesOfSample)
  }
  return { samplesOfPeriod, bytes }
}

/** 400 Hz and 250 Hz, so that the speakers can be distinguished. */
const voices = { agent: tone(20), caller: tone(32) }

/** The size in bytes of the recording of these spans. */
const wavLength = (spans: ReadonlyArray<Span>): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + (samplesOf(toMs) - samplesOf(fromMs)) * bytesOfSample, headerBytes)

const header = (dataBytes: number) => {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write("RIFF", 0)
  bytes.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  bytes.write("WAVEfmt ", 8)
  bytes.writeUInt32LE(16, 16)
  // PCM, one channel.
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(sampleRate, 24)
  bytes.writeUInt32LE(sampleRate * bytesOfSample, 28)
  bytes.writeUInt16LE(bytesOfSample, 32)
  bytes.writeUInt16LE(8 * bytesOfSample, 34)
  bytes.write("data", 36)
  bytes.writeUInt32LE(dataBytes, 40)
  return bytes
}

/** The samples between two times: a tone while a line is spoken, else silence. */
const piece = (lines: ReadonlyArray<CallLine>, fromMs: number, toMs: number) => {
  const from = samplesOf(fromMs)
  const to = samplesOf(toMs)
  const bytes = Buffer.alloc((to - from) * bytesOfSample)
  for (const { atMs, durationMs, speaker } of lines) {
    if (speaker === "note" || atMs >= toMs || atMs + durationMs <= fromMs) continue
    const begin = samplesOf(atMs)
    const first = Math.max(begin, from)
    const last = Math.min(samplesOf(atMs + durationMs), to)
    const voice = voices[speaker]
    const phase = (first - begin) % voice.samplesOfPeriod
    const end = (phase + last - first) * bytesOfSample
    voice.bytes.copy(bytes, (first - from) * bytesOfSample, phase * bytesOfSample, end)
  }
  return bytes
}

/** A WAV of these spans of a call, concatenated, generated in pieces. */
function* wavTones(lines: ReadonlyArray<CallLine>, spans: ReadonlyArray<Span>): Generator<Uint8Array> {
  yield header(wavLength(spans) - headerBytes)
  for (const { fromMs, toMs } of spans) {
    for (let at = fromMs; at < toMs; at += pieceMs) yield piece(lines, at, Math.min(at + pieceMs, toMs))
  }
}

const refusal = (
  status: "busy" | "no_answer" | "failed",
  afterMs: number,
  code: string,
  message: string
): RingResult => ({ afterMs, refusal: { status, code, message } })

/** Simulated outcomes by the last four digits of the number. */
const refusals: Readonly<Record<string, RingResult>> = {
  "0001": refusal("busy", 1_000, "busy", "The number is busy"),
  "0002": refusal("no_answer", 10_000, "no_answer", "The call was not answered"),
  "0003": refusal("failed", 500, "unreachable", "The number can't be reached")
}

const answered: RingResult = { afterMs: 2_000, refusal: null }

/**
 * Simulates calls without a telephone network. Every call is answered, except to the numbers of `refusals`. The callee
 * says the lines of the request, and recordings contain tones instead of speech.
 */
export const SandboxCarrier = Layer.succeed(VoiceCarrier, {
  name: "sandbox",
  ring: ({ to }) => Effect.succeed(refusals[to.slice(-4)] ?? answered),
  converse: (script, progress) => Effect.sync(() => playWorkflow(script, progress)),
  recording: (lines, spans) => ({
    contentType: "audio/wav",
    contentLength: wavLength(spans),
    bytes: Stream.suspend(() => Stream.fromIterable(wavTones(lines, spans)))
  })
})
