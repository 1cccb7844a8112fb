import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { VoiceWorkflowId } from "../workflows/VoiceWorkflowId.js"

export const VoiceAgentId = Uuid.pipe(Schema.brand("VoiceAgentId"))
export type VoiceAgentId = typeof VoiceAgentId.Type

/** The transport of a call. */
export const VoiceTransport = choice("webrtc", "pstn").annotations({ identifier: "VoiceTransport" })
export type VoiceTransport = typeof VoiceTransport.Type

/** The events that an agent's webhook can receive. */
export const voiceAgentEvents = [
  "call.started",
  "call.answered",
  "call.ended",
  "call.failed",
  "recording.ready",
  "transcript.ready"
] as const

/** An event of an agent's call. */
export const VoiceAgentEvent = choice(...voiceAgentEvents).annotations({ identifier: "VoiceAgentEvent" })
export type VoiceAgentEvent = typeof VoiceAgentEvent.Type

/** The webhook of an agent's calls. */
export const VoiceWebhookConfig = Schema.Struct({
  url: Schema.String,
  headers: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
      description: "headers of every request; without the permission voice.write each value is `…`"
    })
  ),
  events: Schema.Array(VoiceAgentEvent),
  secret: Schema.optional(
    Schema.String.annotations({
      description: "the secret that signs requests, only in the response that created it; an extension"
    })
  )
}).annotations({ identifier: "VoiceWebhookConfig" })
export type VoiceWebhookConfig = typeof VoiceWebhookConfig.Type

/** A voice agent. Its published workflow controls its calls; without one it only greets. */
export class VoiceAgent extends Schema.Class<VoiceAgent>("VoiceAgent")({
  id: VoiceAgentId,
  organizationId: OrganizationId,
  workflowId: Schema.optional(VoiceWorkflowId),
  name: Schema.String,
  description: Schema.optional(Schema.String),
  systemPrompt: Schema.optional(Schema.String),
  voiceId: Schema.optional(Schema.String),
  language: Schema.optional(Schema.String),
  transport: VoiceTransport,
  webhookConfig: Schema.optional(VoiceWebhookConfig),
  isActive: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
