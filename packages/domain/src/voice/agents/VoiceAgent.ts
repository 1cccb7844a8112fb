import { Schema } from "effect"
import { choice, clearable } from "../../Fields.js"
import { HttpUrl } from "../../HttpUrl.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { SearchText } from "../../Search.js"
import { text } from "../../Text.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { WebhookHeaders } from "../../webhooks/WebhookRequests.js"
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

/** The maximum number of characters of an agent's name. */
export const maxAgentNameLength = 200

const Name = text(1, maxAgentNameLength)

const Events = Schema.Array(VoiceAgentEvent).pipe(
  Schema.filter((names) => names.length > 0 || "must have at least one event name", { jsonSchema: { minItems: 1 } })
)

/** The webhook of an agent's calls. Default of `events`: all. */
export const GivenVoiceWebhook = Schema.Struct({
  url: HttpUrl,
  headers: Schema.optional(WebhookHeaders),
  events: Schema.optional(Events)
}).annotations({ identifier: "GivenVoiceWebhook" })
export type GivenVoiceWebhook = typeof GivenVoiceWebhook.Type

/** The optional texts; null removes one. */
const texts = {
  description: text(1, 1_000),
  systemPrompt: text(1, 20_000),
  voiceId: text(1, 200),
  language: text(1, 35)
}

/** A new agent. Default: transport `webrtc`, active. */
export const CreateVoiceAgent = Schema.Struct({
  name: Name,
  description: Schema.optional(texts.description),
  systemPrompt: Schema.optional(texts.systemPrompt),
  voiceId: Schema.optional(texts.voiceId),
  language: Schema.optional(texts.language),
  transport: Schema.optional(VoiceTransport),
  webhookConfig: Schema.optional(GivenVoiceWebhook),
  isActive: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "CreateVoiceAgent" })
export type CreateVoiceAgent = typeof CreateVoiceAgent.Type

/**
 * The fields to change; omitted fields stay. Null resets a field that a creation may omit; `webhookConfig` is replaced as a whole.
 */
export const UpdateVoiceAgent = Schema.Struct({
  name: Schema.optional(Name),
  description: clearable(texts.description),
  systemPrompt: clearable(texts.systemPrompt),
  voiceId: clearable(texts.voiceId),
  language: clearable(texts.language),
  transport: clearable(VoiceTransport),
  webhookConfig: clearable(GivenVoiceWebhook),
  isActive: clearable(Schema.Boolean)
}).annotations({ identifier: "UpdateVoiceAgent" })
export type UpdateVoiceAgent = typeof UpdateVoiceAgent.Type

/** The name of the copy. Default: the original's name, marked as a copy. */
export const DuplicateVoiceAgent = Schema.Struct({ name: Schema.optional(Name) }).annotations({
  identifier: "DuplicateVoiceAgent"
})
export type DuplicateVoiceAgent = typeof DuplicateVoiceAgent.Type

/** Filters of a list of agents; `search` matches name and description. */
export const VoiceAgentFilters = Schema.Struct({
  isActive: Schema.optional(Schema.Boolean),
  transport: Schema.optional(VoiceTransport),
  search: Schema.optional(SearchText)
})
export type VoiceAgentFilters = typeof VoiceAgentFilters.Type
