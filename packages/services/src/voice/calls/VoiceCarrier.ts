import type { CallLine, CallProgress, CallScript } from "@switchboard/domain/voice/calls/CallProgress"
import type { Played } from "@switchboard/domain/voice/calls/PlayWorkflow"
import { Context, type Effect, type Stream } from "effect"
import type { RingResult, StoredCall } from "./StoredCall.js"

/** A span of a call, in call time. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The recording of a call, generated while it is read. */
export interface Recording {
  readonly contentType: string
  readonly contentLength: number
  readonly bytes: Stream.Stream<Uint8Array>
}

/** The carrier of voice calls. */
export class VoiceCarrier extends Context.Tag("services/VoiceCarrier")<
  VoiceCarrier,
  {
    /** The name in `metadata.customFields.carrier`. */
    readonly name: string
    /** Rings a number and returns the result. */
    readonly ring: (call: StoredCall) => Effect.Effect<RingResult>
    /** Plays an answered call until its next action, or to its end. */
    readonly converse: (script: CallScript, progress: CallProgress) => Effect.Effect<Played>
    /** The recording of spans of a call, joined. */
    readonly recording: (lines: ReadonlyArray<CallLine>, spans: ReadonlyArray<Span>) => Recording
  }
>() {}
