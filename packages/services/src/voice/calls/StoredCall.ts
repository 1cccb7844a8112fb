import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { NumberId } from "@switchboard/domain/sms/SmsNumber"
import type { VoiceAgentId, VoiceTransport } from "@switchboard/domain/voice/agents/VoiceAgent"
import { ReportedEvent } from "@switchboard/domain/voice/calls/CallControl"
import { CallProgress, CallScript, type RecordedSpan } from "@switchboard/domain/voice/calls/CallProgress"
import {
  VoiceCall,
  type VoiceCallId,
  type VoiceCallMetadata,
  type VoiceCallStatus
} from "@switchboard/domain/voice/VoiceCall"
import { type DateTime, Effect, Schema } from "effect"
import { ObjectLinks } from "../../objects/ObjectLinks.js"

/** A stored call. */
export interface StoredCall {
  readonly id: VoiceCallId
  readonly organizationId: OrganizationId
  readonly voiceAgentId: VoiceAgentId
  /** The organization's number; null if it has none. */
  readonly phoneNumberId: NumberId | null
  /** The conversation with the other party; null if the party is unknown. */
  readonly conversationId: ConversationId | null
  readonly transport: VoiceTransport
  readonly direction: "inbound" | "outbound"
  readonly from: string | null
  readonly to: string
  readonly status: VoiceCallStatus
  /** The carrier's id of the call. */
  readonly callControlId: string | null
  /** The carrier's id of the conversation; null until it is answered. */
  readonly sessionId: string | null
  readonly initiatedAt: DateTime.Utc | null
  readonly answeredAt: DateTime.Utc | null
  readonly endedAt: DateTime.Utc | null
  readonly durationMs: number | null
  /** A summary of the conversation; null until it is over, or if there was none. */
  readonly summary: string | null
  readonly recordingKey: ObjectKey | null
  readonly transcriptKey: ObjectKey | null
  readonly metadata: VoiceCallMetadata
  /** Seconds of call time per second. */
  readonly speed: number
  /** The start of call time, adjusted for pauses; null until the call is answered. */
  readonly originAt: DateTime.Utc | null
  /** The position of the next known event, or the maximum. */
  readonly untilMs: number
  readonly recorded: ReadonlyArray<RecordedSpan>
  /** The time of a requested hang-up. */
  readonly hangUpAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

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
      const { id, recordingKey, transcriptKey } = stored
      return new VoiceCall(
        {
          id,
          organizationId: stored.organizationId,
          phoneNumberId: stored.phoneNumberId ?? undefined,
          voiceAgentId: stored.voiceAgentId,
          conversationId: stored.conversationId ?? undefined,
          transport: stored.transport,
          callControlId: stored.callControlId ?? undefined,
          sessionId: stored.sessionId ?? undefined,
          direction: stored.direction,
          from: stored.from ?? undefined,
          to: stored.to,
          summary: stored.summary ?? undefined,
          transcriptUrl:
            transcriptKey === null ? undefined : yield* links.downloadUrl(transcriptKey, { filename: `${id}.txt` }),
          recordingUrl:
            recordingKey === null ? undefined : yield* links.downloadUrl(recordingKey, { filename: `${id}.wav` }),
          status: stored.status,
          initiatedAt: stored.initiatedAt ?? undefined,
          answeredAt: stored.answeredAt ?? undefined,
          endedAt: stored.endedAt ?? undefined,
          durationSeconds: stored.durationMs === null ? undefined : Math.round(stored.durationMs / 1_000),
          metadata: stored.metadata,
          createdAt: stored.createdAt,
          updatedAt: stored.updatedAt
        },
        { disableValidation: true }
      )
    })

    return { describe } as const
  })
}) {}
