import type { CallLine, CallProgress, CallScript } from "@switchboard/domain/voice/calls/CallProgress"
import type { Played } from "@switchboard/domain/voice/calls/PlayWorkflow"
import { Context, type Effect, type Stream } from "effect"
import type { RungNumber, StoredCall } from "./StoredCall.js"

/** A part of a call, in its own time. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What was recorded of a call, made as it is read. */
export interface Recording {
  readonly contentType: string
  readonly contentLength: number
  readonly bytes: Stream.Stream<Uint8Array>
}

/** Whoever carries calls to people. */
export class VoiceCarrier extends Context.Tag("services/VoiceCarrier")<
  VoiceCarrier,
  {
    /** As calls say it in `metadata.customFields.carrier`. */
    readonly name: string
    /** Rings the number, and says what comes of it. */
    readonly ring: (call: StoredCall) => Effect.Effect<RungNumber>
    /** Goes on with an answered call until something is to be done that is neither said nor heard, or to its end. */
    readonly converse: (script: CallScript, progress: CallProgress) => Effect.Effect<Played>
    /** What was heard in these parts of a call, one after the other. */
    readonly recording: (lines: ReadonlyArray<CallLine>, spans: ReadonlyArray<Span>) => Recording
  }
>() {}
