import { Schema } from "effect"
import { VoiceCallId } from "../VoiceCall.js"

/** Where a call can be read. */
export const CallTranscript = Schema.Struct({
  callId: VoiceCallId,
  transcriptUrl: Schema.optional(
    Schema.String.annotations({ description: "a signed link to its text, good for 15 minutes" })
  ),
  hasTranscript: Schema.Boolean
}).annotations({ identifier: "CallTranscript" })
export type CallTranscript = typeof CallTranscript.Type
