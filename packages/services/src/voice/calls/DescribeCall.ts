import { VoiceCall } from "@switchboard/domain/voice/VoiceCall"
import { Effect } from "effect"
import { ObjectLinks } from "../../objects/ObjectLinks.js"
import type { StoredCall } from "./StoredCall.js"

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
          voiceAgentId: stored.voiceAgentId,
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
