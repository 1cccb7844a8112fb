import { type CallEvent, speechMs } from "@switchboard/domain/voice/calls/CallControl"
import type { CallLine } from "@switchboard/domain/voice/calls/CallProgress"
import type { StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import { VoiceCallRepo } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { type Span, VoiceCarrier } from "@switchboard/services/voice/calls/VoiceCarrier"
import { Clock, Effect, Layer, Stream } from "effect"

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

type Refusal = Extract<CallEvent, { readonly _tag: "HungUp" }>

const refusal = (reason: Refusal["reason"], code: string, message: string): Refusal => ({
  ...{ _tag: "HungUp", atMs: 0, reason },
  ...{ code, message }
})

/** Simulated outcomes by the last four digits of the number, with the time of ringing. */
const refusals: Readonly<Record<string, { readonly afterMs: number; readonly event: Refusal }>> = {
  "0001": { afterMs: 1_000, event: refusal("busy", "busy", "The number is busy") },
  "0002": { afterMs: 10_000, event: refusal("no_answer", "no_answer", "The call was not answered") },
  "0003": { afterMs: 500, event: refusal("failed", "unreachable", "The number can't be reached") }
}

/** The time after which calls are answered. */
const ringMs = 2_000

/** The pause after each spoken text. */
const pauseMs = 300

/** A reply that begins with it interrupts the prompt in its middle. */
const bargeIn = /^!/

/** The reply if the call and the node define none. */
const defaultReply = "Yes, thank you."

/**
 * Simulates calls without a telephone network, at the speed of the call. Every call is answered, except to the numbers of
 * `refusals`. The person at the other end says the lines of the request, and recordings contain a tone for each spoken
 * text.
 */
export const SandboxCarrier = Layer.effect(
  VoiceCarrier,
  Effect.map(VoiceCallRepo, ({ deliver }) => {
    /** Reports an event after a time of the call. */
    const report = (call: StoredCall, afterMs: number, event: CallEvent) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        deliver(call, {
          id: "of" in event ? `${event._tag} ${event.of}` : event._tag,
          at: Math.ceil(now + afterMs / call.speed),
          event
        })
      )
    const answered = (call: StoredCall) =>
      report(call, ringMs, { _tag: "Answered", sessionId: `sandbox-session-${call.id}` })

    /** Reports the end of a command with a text that is spoken after `waitMs`. */
    const spoken = (
      call: StoredCall,
      of: number,
      atMs: number,
      text: string,
      more:
        | { readonly _tag: "Media" }
        | { readonly _tag: "Digits"; readonly digits: string }
        | { readonly _tag: "Speech"; readonly text: string },
      waitMs = 0
    ) => {
      const durationMs = speechMs(text)
      const endMs = waitMs + durationMs + pauseMs
      return report(call, endMs, { ...more, of, fromMs: atMs + waitMs, durationMs, atMs: atMs + endMs })
    }

    return {
      name: "sandbox",
      dial: (call) => {
        const { afterMs, event } = refusals[call.to.slice(-4)] ?? {}
        return report(call, 0, { _tag: "Ringing" }).pipe(
          Effect.zipRight(afterMs === undefined || event === undefined ? answered(call) : report(call, afterMs, event)),
          Effect.as(`sandbox-${call.id}`)
        )
      },
      execute: (call, command, atMs) => {
        switch (command._tag) {
          case "Say":
          case "Play":
            return spoken(call, command.id, atMs, command.text, { _tag: "Media" })
          case "Gather": {
            const { hints, id: of, prompt, sandboxReply = hints[0] ?? defaultReply, timeoutMs } = command
            const promptMs = speechMs(prompt)
            const text = sandboxReply.replace(bargeIn, "")
            const afterPrompt = promptMs === 0 ? 0 : promptMs + pauseMs
            const waitMs = bargeIn.test(sandboxReply) ? Math.round(promptMs / 2) : afterPrompt
            const silentMs = afterPrompt + timeoutMs
            if (text.trim() === "") return report(call, silentMs, { _tag: "Silence", of, atMs: atMs + silentMs })
            const isKeys = /^[\d*#]+$/.test(text)
            return spoken(
              call,
              of,
              atMs,
              text,
              isKeys ? { _tag: "Digits", digits: text } : { _tag: "Speech", text },
              waitMs
            )
          }
          case "Answer":
            return answered(call)
          case "Record":
          case "StopRecording":
          case "Transfer":
          case "HangUp":
            return Effect.void
        }
      },
      recording: (lines, spans) => ({
        contentType: "audio/wav",
        contentLength: wavLength(spans),
        bytes: Stream.suspend(() => Stream.fromIterable(wavTones(lines, spans)))
      })
    }
  })
)
