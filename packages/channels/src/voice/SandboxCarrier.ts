import { playWorkflow } from "@switchboard/domain/voice/calls/PlayWorkflow"
import type { RingResult } from "@switchboard/services/voice/calls/StoredCall"
import { VoiceCarrier } from "@switchboard/services/voice/calls/VoiceCarrier"
import { Effect, Layer, Stream } from "effect"
import { wavLength, wavTones } from "./WavTones.js"

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
