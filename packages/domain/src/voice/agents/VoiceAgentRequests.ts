import { Schema } from "effect"
import { WebhookHeaders, WebhookUrl } from "../../webhooks/WebhookRequests.js"
import { filledText } from "../FilledText.js"
import { VoiceAgentEvent, VoiceTransport } from "./VoiceAgent.js"

/** The longest name that an agent can have. */
export const longestAgentName = 200

const Name = filledText(longestAgentName)

const Events = Schema.Array(VoiceAgentEvent).pipe(
  Schema.filter((names) => names.length > 0 || "must have at least one event name")
)

/** Where an agent's calls are to be told of; without `events`, all that can be told. */
export const GivenVoiceWebhook = Schema.Struct({
  url: WebhookUrl,
  headers: Schema.optional(WebhookHeaders),
  events: Schema.optional(Events)
}).annotations({ identifier: "GivenVoiceWebhook" })
export type GivenVoiceWebhook = typeof GivenVoiceWebhook.Type

/** What may be left out, and taken away again by null. */
const texts = {
  description: filledText(1_000),
  systemPrompt: filledText(20_000),
  voiceId: filledText(200),
  language: filledText(35)
}

/** A new agent: by `webrtc` and active, unless told otherwise. */
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

/** What changes; the rest stays. Null takes away what may be left out; `webhookConfig` is replaced as a whole. */
export const UpdateVoiceAgent = Schema.Struct({
  name: Schema.optional(Name),
  description: Schema.optional(Schema.NullOr(texts.description)),
  systemPrompt: Schema.optional(Schema.NullOr(texts.systemPrompt)),
  voiceId: Schema.optional(Schema.NullOr(texts.voiceId)),
  language: Schema.optional(Schema.NullOr(texts.language)),
  transport: Schema.optional(VoiceTransport),
  webhookConfig: Schema.optional(Schema.NullOr(GivenVoiceWebhook)),
  isActive: Schema.optional(Schema.Boolean)
}).annotations({ identifier: "UpdateVoiceAgent" })
export type UpdateVoiceAgent = typeof UpdateVoiceAgent.Type

/** How the copy of an agent is called; that it is a copy, unless told otherwise. */
export const DuplicateVoiceAgent = Schema.Struct({ name: Schema.optional(Name) }).annotations({
  identifier: "DuplicateVoiceAgent"
})
export type DuplicateVoiceAgent = typeof DuplicateVoiceAgent.Type

/** What a list of agents may be narrowed to; `search` looks into name and description. */
export const VoiceAgentFilters = Schema.Struct({
  isActive: Schema.optional(Schema.Boolean),
  transport: Schema.optional(VoiceTransport),
  search: Schema.optional(Schema.String)
})
export type VoiceAgentFilters = typeof VoiceAgentFilters.Type
