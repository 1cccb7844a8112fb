import { Schema } from "effect"
import { VoiceCallId } from "../VoiceCall.js"

/** The transcript of a call. */
export const CallTranscript = Schema.Struct({
  callId: VoiceCallId,
  transcriptUrl: Schema.optional(
    Schema.String.annotations({ description: "a signed link to the text, valid for 15 minutes" })
  ),
  hasTranscript: Schema.Boolean
}).annotations({ identifier: "CallTranscript" })
export type CallTranscript = typeof CallTranscript.Type
