import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { VoiceWorkflowId } from "../workflows/VoiceWorkflowId.js"

export const VoiceAgentId = Uuid.pipe(Schema.brand("VoiceAgentId"))
export type VoiceAgentId = typeof VoiceAgentId.Type

/** How a call reaches its agent. */
export const VoiceTransport = choice("webrtc", "pstn").annotations({ identifier: "VoiceTransport" })
export type VoiceTransport = typeof VoiceTransport.Type

/** What the webhook of an agent can be told. */
export const voiceAgentEvents = [
  "call.started",
  "call.answered",
  "call.ended",
  "call.failed",
  "recording.ready",
  "transcript.ready"
] as const

/** What happened in a call of an agent. */
export const VoiceAgentEvent = choice(...voiceAgentEvents).annotations({ identifier: "VoiceAgentEvent" })
export type VoiceAgentEvent = typeof VoiceAgentEvent.Type

/** Where an agent's calls are told of. */
export const VoiceWebhookConfig = Schema.Struct({
  url: Schema.String,
  headers: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
      description: "headers of every request, shown to keys with voice.write; to others each value is `…`"
    })
  ),
  events: Schema.Array(VoiceAgentEvent),
  secret: Schema.optional(
    Schema.String.annotations({
      description: "an extension: the secret that requests are signed with, in the answer that made it alone"
    })
  )
}).annotations({ identifier: "VoiceWebhookConfig" })
export type VoiceWebhookConfig = typeof VoiceWebhookConfig.Type

/** Who speaks in a call. What it does there is its workflow's to say; without a published one it only greets. */
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
