import type { CallLine } from "@switchboard/domain/voice/calls/CallProgress"
import type { Span } from "@switchboard/services/voice/calls/VoiceCarrier"

/** As telephones sound: 8,000 samples of 16 bits a second, one channel. */
const rate = 8_000
const bytesOfSample = 2
const headerBytes = 44

/** How much of a recording is made at a time. */
const pieceMs = 10_000

/** How loud a tone is, of at most 1. */
const volume = 0.25

const samplesOf = (ms: number) => Math.round((ms * rate) / 1_000)

/** A tone that comes back after a whole number of samples: it can begin anywhere in itself and go on. */
const tone = (samplesOfPeriod: number) => {
  const bytes = Buffer.alloc((samplesOf(pieceMs) + samplesOfPeriod) * bytesOfSample)
  for (let at = 0; at < bytes.length / bytesOfSample; at += 1) {
    const value = Math.round(32_767 * volume * Math.sin((2 * Math.PI * at) / samplesOfPeriod))
    bytes.writeInt16LE(value, at * bytesOfSample)
  }
  return { samplesOfPeriod, bytes }
}

/** 400 Hz and 250 Hz: who speaks can be heard. */
const voices = { agent: tone(20), caller: tone(32) }

/** How many bytes the recording of these parts has. */
export const wavLength = (spans: ReadonlyArray<Span>): number =>
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
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * bytesOfSample, 28)
  bytes.writeUInt16LE(bytesOfSample, 32)
  bytes.writeUInt16LE(8 * bytesOfSample, 34)
  bytes.write("data", 36)
  bytes.writeUInt32LE(dataBytes, 40)
  return bytes
}

/** What is heard in a part: silence, and a tone wherever somebody speaks. */
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

/** A WAV of these parts of a call, one after the other, piece by piece. */
export function* wavTones(lines: ReadonlyArray<CallLine>, spans: ReadonlyArray<Span>): Generator<Uint8Array> {
  yield header(wavLength(spans) - headerBytes)
  for (const { fromMs, toMs } of spans) {
    for (let at = fromMs; at < toMs; at += pieceMs) yield piece(lines, at, Math.min(at + pieceMs, toMs))
  }
}
