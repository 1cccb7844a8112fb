import { Schema } from "effect"
import { choice, items } from "../Fields.js"
import { ConversationId } from "../messages/Message.js"
import { OrganizationId } from "../organizations/Organization.js"
import { NumberId } from "../sms/SmsNumber.js"
import { matching, text } from "../Text.js"
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
  phoneNumberId: Schema.optional(NumberId),
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

/** A phone number in E.164 form. The service checks whether it is valid. */
const PhoneNumber = Schema.String.pipe(
  matching(/^\+[1-9]\d{6,14}$/, "must be a phone number in E.164 form, like +442079460018")
).annotations({ examples: ["+442079460018"] })

/** The default speed of a call of the sandbox carrier, as a multiple of real time. */
export const defaultSpeed = 5

const Speed = Schema.Number.pipe(
  Schema.filter((speed) => (speed >= 1 && speed <= 100) || "must be a number from 1 to 100")
).annotations({
  jsonSchema: {
    type: "number",
    minimum: 1,
    maximum: 100,
    description: `seconds of call time in one second; default: ${defaultSpeed}`
  }
})

const Answers = Schema.Array(text(0, 1_000)).pipe(items(0, 100)).annotations({
  description:
    "the replies of the simulated person, in order; an empty text is silence, `!` before a text lets it interrupt the prompt"
})

/** Options of a call of the sandbox carrier. */
const SandboxOptions = Schema.Struct({
  answers: Schema.optional(Answers),
  speed: Schema.optional(Speed)
}).annotations({
  identifier: "SandboxOptions",
  description: "the simulation of the call while no real carrier is configured; an extension"
})
export type SandboxOptions = typeof SandboxOptions.Type

/** A new call of an agent to a phone number. */
export const PlaceVoiceCall = Schema.Struct({
  voiceAgentId: VoiceAgentId,
  to: PhoneNumber,
  from: Schema.optional(PhoneNumber),
  sandbox: Schema.optional(SandboxOptions)
}).annotations({ identifier: "PlaceVoiceCall" })
export type PlaceVoiceCall = typeof PlaceVoiceCall.Type

/** A simulated call to a number of the organization. */
export const SimulateVoiceCall = Schema.Struct({
  from: PhoneNumber,
  to: PhoneNumber,
  sandbox: Schema.optional(SandboxOptions)
}).annotations({ identifier: "SimulateVoiceCall" })
export type SimulateVoiceCall = typeof SimulateVoiceCall.Type

/** Filters of a list of calls. */
export const VoiceCallFilters = Schema.Struct({
  status: Schema.optional(VoiceCallStatus),
  direction: Schema.optional(choice("inbound", "outbound")),
  voiceAgentId: Schema.optional(VoiceAgentId)
})
export type VoiceCallFilters = typeof VoiceCallFilters.Type
