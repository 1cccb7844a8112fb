import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { Timestamp } from "@switchboard/domain/Timestamp"
import { VoiceAgentId, VoiceTransport } from "@switchboard/domain/voice/agents/VoiceAgent"
import { ReportedEvent } from "@switchboard/domain/voice/calls/CallControl"
import { CallProgress, CallScript, RecordedSpan } from "@switchboard/domain/voice/calls/CallProgress"
import { VoiceCall, VoiceCallMetadata } from "@switchboard/domain/voice/VoiceCall"
import { Effect, Option, Schema, Struct } from "effect"
import { ObjectLinks } from "../../objects/ObjectLinks.js"

/** A stored call. */
export const StoredCall = Schema.Struct({
  ...Struct.omit(VoiceCall.fields, "transcriptUrl", "recordingUrl", "durationSeconds"),
  voiceAgentId: VoiceAgentId,
  transport: VoiceTransport,
  to: Schema.String,
  metadata: VoiceCallMetadata,
  durationMs: Schema.optional(Schema.Number),
  recordingKey: Schema.optional(ObjectKey),
  transcriptKey: Schema.optional(ObjectKey),
  /** Seconds of call time per second. */
  speed: Schema.Number,
  /** The start of call time, adjusted for pauses. A call has none until it is answered. */
  originAt: Schema.optional(Timestamp),
  /** The position of the next known event, or the maximum. */
  untilMs: Schema.Number,
  recorded: Schema.Array(RecordedSpan),
  /** The time of a requested hang-up. */
  hangUpAt: Schema.optional(Timestamp)
})
export type StoredCall = typeof StoredCall.Type

/** The state that a call needs to continue; deleted when the call needs no more work. */
export const CallRun = Schema.Struct({
  script: CallScript,
  /** The key that placed the call. The workflow has its permissions. */
  apiKeyId: ApiKeyId,
  maySendMessages: Schema.Boolean,
  /** The events of the carrier that were not processed. */
  inbox: Schema.Array(ReportedEvent),
  /** The state to continue from; null until it is answered. */
  progress: Schema.NullOr(CallProgress)
})
export type CallRun = typeof CallRun.Type

/** Builds the wire form of calls, with new download links. */
export class DescribeCall extends Effect.Service<DescribeCall>()("services/DescribeCall", {
  effect: Effect.gen(function* () {
    const links = yield* ObjectLinks

    const describe = Effect.fnUntraced(function* (stored: StoredCall) {
      const { durationMs, hangUpAt, originAt, recorded, recordingKey, speed, transcriptKey, untilMs, ...call } = stored
      const link = (key: ObjectKey | undefined, ending: string) =>
        Effect.transposeMapOption(Option.fromNullable(key), (object) =>
          links.downloadUrl(object, { filename: `${call.id}.${ending}` })
        ).pipe(Effect.map(Option.getOrUndefined))
      return new VoiceCall(
        {
          ...call,
          transcriptUrl: yield* link(transcriptKey, "txt"),
          recordingUrl: yield* link(recordingKey, "wav"),
          durationSeconds: durationMs === undefined ? undefined : Math.round(durationMs / 1_000)
        },
        { disableValidation: true }
      )
    })

    return { describe } as const
  })
}) {}
