import { Schema } from "effect"
import { clearable } from "../../Clearable.js"
import { HttpUrl } from "../../HttpUrl.js"
import { SearchText } from "../../Search.js"
import { text } from "../../Text.js"
import { WebhookHeaders } from "../../webhooks/WebhookRequests.js"
import { VoiceAgentEvent, VoiceTransport } from "./VoiceAgent.js"

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
