import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceAgentId, VoiceTransport } from "@switchboard/domain/voice/agents/VoiceAgent"
import { CallProgress, CallScript } from "@switchboard/domain/voice/calls/CallProgress"
import type { RecordedSpan } from "@switchboard/domain/voice/calls/RecordedSpans"
import type { VoiceCallId, VoiceCallMetadata, VoiceCallStatus } from "@switchboard/domain/voice/VoiceCall"
import { type DateTime, Schema } from "effect"

/** A call as it is stored: what anybody may ask of it, and what whoever ends it or its recording must know. */
export interface StoredCall {
  readonly id: VoiceCallId
  readonly organizationId: OrganizationId
  readonly voiceAgentId: VoiceAgentId
  readonly transport: VoiceTransport
  readonly direction: "inbound" | "outbound"
  readonly from: string | null
  readonly to: string
  readonly status: VoiceCallStatus
  /** The call's name at its carrier. */
  readonly callControlId: string | null
  /** The conversation's name at its carrier; null until it is answered. */
  readonly sessionId: string | null
  readonly initiatedAt: DateTime.Utc | null
  readonly answeredAt: DateTime.Utc | null
  readonly endedAt: DateTime.Utc | null
  readonly durationMs: number | null
  /** The conversation in a few sentences; null if there was none, and until it is over. */
  readonly summary: string | null
  readonly recordingKey: ObjectKey | null
  readonly transcriptKey: ObjectKey | null
  readonly metadata: VoiceCallMetadata
  /** How many seconds of the call go by in a second. */
  readonly speed: number
  /** When its own time began, as if it had gone on evenly since; null until it is answered. */
  readonly originAt: DateTime.Utc | null
  /** How far its own time is known to go by itself. */
  readonly untilMs: number
  readonly recorded: ReadonlyArray<RecordedSpan>
  /** When somebody hung up. */
  readonly hangUpAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** What came of ringing a number, and how long it rang, in the time of the call. */
export const RungNumber = Schema.Struct({
  afterMs: Schema.Int,
  refusal: Schema.NullOr(
    Schema.Struct({
      status: Schema.Literal("busy", "no_answer", "failed"),
      code: Schema.String,
      message: Schema.String
    })
  )
})
export type RungNumber = typeof RungNumber.Type

/** What it takes to go on with a call; it is kept as long as there is something to be done for it. */
export const CallRun = Schema.Struct({
  script: CallScript,
  /** Whose key placed the call: its workflow does what that one may. */
  apiKeyId: ApiKeyId,
  maySendMessages: Schema.Boolean,
  /** Null until it rings. */
  rung: Schema.NullOr(RungNumber),
  /** From where it is played on; null until it is answered. */
  progress: Schema.NullOr(CallProgress)
})
export type CallRun = typeof CallRun.Type
