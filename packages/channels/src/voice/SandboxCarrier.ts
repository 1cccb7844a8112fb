import { playWorkflow } from "@switchboard/domain/voice/calls/PlayWorkflow"
import type { RungNumber } from "@switchboard/services/voice/calls/StoredCall"
import { VoiceCarrier } from "@switchboard/services/voice/calls/VoiceCarrier"
import { Effect, Layer, Stream } from "effect"
import { wavLength, wavTones } from "./WavTones.js"

const refused = (
  status: "busy" | "no_answer" | "failed",
  afterMs: number,
  code: string,
  message: string
): RungNumber => ({ afterMs, refusal: { status, code, message } })

/** Numbers that end in one of these are not answered: so everything that can become of a call can be seen. */
const refusals: Readonly<Record<string, RungNumber>> = {
  "0001": refused("busy", 1_000, "busy", "The number is busy"),
  "0002": refused("no_answer", 10_000, "no_answer", "Nobody answered"),
  "0003": refused("failed", 500, "unreachable", "The number can't be reached")
}

const answered: RungNumber = { afterMs: 2_000, refusal: null }

/**
 * Plays calls on this machine, without a telephone: everybody answers, but for the numbers that are for trying that out,
 * says what the call was told they say, and sounds like a tone.
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
