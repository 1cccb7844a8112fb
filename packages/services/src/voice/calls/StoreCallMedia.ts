import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { CallProgress } from "@switchboard/domain/voice/calls/CallProgress"
import { recordedWithin } from "@switchboard/domain/voice/calls/RecordedSpans"
import { transcriptText } from "@switchboard/domain/voice/calls/TranscriptText"
import { Effect } from "effect"
import { ObjectStore } from "../../objects/ObjectStore.js"
import type { StoredCall } from "./StoredCall.js"
import { VoiceCarrier } from "./VoiceCarrier.js"

const area = "calls"

/** Stores the recording and the transcript of a call. A repeat changes nothing. */
export const storeCallMedia = Effect.map(Effect.all([ObjectStore, VoiceCarrier]), ([store, carrier]) =>
  Effect.fnUntraced(function* ({ id, organizationId, recorded }: StoredCall, { clockMs, lines }: CallProgress) {
    const spans = recordedWithin(recorded, clockMs)
    const recordingKey = spans.length === 0 ? null : objectKey(organizationId, area, id, "recording")
    if (recordingKey !== null) {
      const { bytes, contentLength, contentType } = carrier.recording(lines, spans)
      yield* store.putStream(recordingKey, bytes, { contentType, contentLength })
    }
    const transcriptKey = lines.length === 0 ? null : objectKey(organizationId, area, id, "transcript")
    if (transcriptKey !== null) {
      yield* store.put(transcriptKey, Buffer.from(transcriptText(lines)), "text/plain; charset=utf-8")
    }
    return { recordingKey, transcriptKey }
  })
)
