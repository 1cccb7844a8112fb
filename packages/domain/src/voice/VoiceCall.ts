import { Schema } from "effect"
import { choice } from "../Choice.js"
import { ConversationId } from "../messages/Message.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { VoiceAgentId } from "./agents/VoiceAgent.js"

export const VoiceCallId = Uuid.pipe(Schema.brand("VoiceCallId"))
export type VoiceCallId = typeof VoiceCallId.Type

export const VoiceCallStatus = choice(
  "queued",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "failed",
  "cancelled"
).annotations({ identifier: "VoiceCallStatus" })
export type VoiceCallStatus = typeof VoiceCallStatus.Type

/** The menu item that matches the caller's words. */
export const MenuMatch = Schema.Struct({
  menuItemId: Schema.String,
  menuItemLabel: Schema.String,
  matchedText: Schema.String,
  confidence: Schema.Number
}).annotations({ identifier: "MenuMatch" })
export type MenuMatch = typeof MenuMatch.Type

/** Details of a call. */
export const VoiceCallMetadata = Schema.Struct({
  trackIds: Schema.optional(
    Schema.Struct({ audio: Schema.optional(Schema.String), video: Schema.optional(Schema.String) })
  ),
  sttLanguage: Schema.optional(Schema.String),
  ttsVoice: Schema.optional(Schema.String),
  errorCode: Schema.optional(Schema.String),
  errorMessage: Schema.optional(Schema.String),
  menuMatches: Schema.optional(Schema.Array(MenuMatch)),
  menuFinalSelection: Schema.optional(MenuMatch),
  bargeInCount: Schema.optional(Schema.Int),
  customFields: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
}).annotations({ identifier: "VoiceCallMetadata" })
export type VoiceCallMetadata = typeof VoiceCallMetadata.Type

/** A voice call. */
export class VoiceCall extends Schema.Class<VoiceCall>("VoiceCall")({
  id: VoiceCallId,
  organizationId: OrganizationId,
  phoneNumberId: Schema.optional(Uuid),
  voiceAgentId: Schema.optional(VoiceAgentId),
  conversationId: Schema.optional(ConversationId),
  transport: Schema.String,
  callControlId: Schema.optional(Schema.String),
  sessionId: Schema.optional(
    Schema.String.annotations({ description: "the carrier's id of the conversation, once the call is answered" })
  ),
  direction: choice("inbound", "outbound"),
  from: Schema.optional(Schema.String),
  to: Schema.optional(Schema.String),
  summary: Schema.optional(
    Schema.String.annotations({ description: "a summary of the conversation, once the call is over" })
  ),
  transcriptUrl: Schema.optional(Schema.String),
  recordingUrl: Schema.optional(Schema.String),
  status: VoiceCallStatus,
  initiatedAt: Schema.optional(Timestamp),
  answeredAt: Schema.optional(Timestamp),
  endedAt: Schema.optional(Timestamp),
  durationSeconds: Schema.optional(Schema.Int),
  metadata: Schema.optional(VoiceCallMetadata),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
