import { Schema } from "effect"
import { choice, clearable, distinct, items, wholeNumber } from "../Fields.js"
import { Labels } from "../messages/Label.js"
import { ConversationId } from "../messages/Message.js"
import { ParticipantId } from "../participants/Participant.js"
import { SearchText } from "../Search.js"
import { text } from "../Text.js"
import { Complexity, ConversationStatus, ResolutionType, Urgency } from "./Conversation.js"

/** The maximum size of a JSON field, in bytes: events contain the conversation and are limited to 20 KB. */
const maxJsonBytes = 4_096

const isJson = (value: string) => {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

const JsonText = Schema.String.pipe(
  Schema.filter((value) => isJson(value) || "must be JSON"),
  Schema.filter(
    (value) => new TextEncoder().encode(value).byteLength <= maxJsonBytes || `must have at most ${maxJsonBytes} bytes`
  )
).annotations({
  description: "JSON in a string",
  jsonSchema: { type: "string", contentMediaType: "application/json", minLength: 1, maxLength: maxJsonBytes }
})

const Channel = choice("sms", "whatsapp", "email", "voice")
const Channels = Schema.Array(Channel).pipe(
  distinct,
  Schema.filter((channels) => channels.length > 0 || "must name at least one channel", { jsonSchema: { minItems: 1 } })
)
const Priority = wholeNumber(0, 4)
const Title = text(1, 200)
const Description = text(1, 2_000)
const Reference = text(1, 255)
const Notes = text(1, 2_000)
const DistinctLabels = Labels.pipe(distinct)

/** The participants of a conversation. Duplicates count once. */
export const ParticipantIds = Schema.Array(ParticipantId).pipe(items(1, 100))

/** A new conversation. Default: `active` and of normal priority. */
export const CreateConversation = Schema.Struct({
  title: Schema.optional(Title),
  description: Schema.optional(Description),
  externalId: Schema.optional(Reference),
  parentConversationId: Schema.optional(ConversationId),
  channels: Channels,
  primaryChannel: Schema.optional(Channel),
  statusReason: Schema.optional(Notes),
  metadata: Schema.optional(JsonText),
  context: Schema.optional(JsonText),
  resolutionNotes: Schema.optional(Notes),
  status: Schema.optional(ConversationStatus),
  priority: Schema.optional(Priority),
  urgency: Schema.optional(Urgency),
  complexity: Schema.optional(Complexity),
  tags: Schema.optional(DistinctLabels),
  categories: Schema.optional(DistinctLabels),
  isTest: Schema.optional(Schema.Boolean),
  isInternal: Schema.optional(Schema.Boolean),
  isPrivate: Schema.optional(Schema.Boolean),
  resolutionType: Schema.optional(ResolutionType),
  participantIds: Schema.optional(ParticipantIds)
}).annotations({ identifier: "CreateConversation" })
export type CreateConversation = typeof CreateConversation.Type

/** The fields to change; omitted fields stay. Null resets a field that a creation may omit. */
export const UpdateConversation = Schema.Struct({
  title: clearable(Title),
  description: clearable(Description),
  externalId: clearable(Reference),
  parentConversationId: clearable(ConversationId),
  channels: Schema.optional(Channels),
  primaryChannel: clearable(Channel),
  statusReason: clearable(Notes),
  metadata: clearable(JsonText),
  context: clearable(JsonText),
  resolutionNotes: clearable(Notes),
  status: Schema.optional(ConversationStatus),
  resolutionType: Schema.optional(ResolutionType),
  priority: clearable(Priority),
  urgency: clearable(Urgency),
  complexity: clearable(Complexity),
  tags: clearable(DistinctLabels),
  categories: clearable(DistinctLabels),
  isTest: clearable(Schema.Boolean),
  isInternal: clearable(Schema.Boolean),
  isPrivate: clearable(Schema.Boolean)
}).annotations({ identifier: "UpdateConversation" })
export type UpdateConversation = typeof UpdateConversation.Type

/** The participants to add. `id` repeats the id of the path and must be equal to it. */
export const AddParticipants = Schema.Struct({ id: ConversationId, participantIds: ParticipantIds }).annotations({
  identifier: "AddParticipants"
})

/** The participants to remove. `id` may repeat the id of the path and must be equal to it. */
export const RemoveParticipants = Schema.Struct({
  id: Schema.optional(ConversationId),
  participantIds: ParticipantIds
}).annotations({ identifier: "RemoveParticipants" })

/** Filters of a list of conversations; `search` matches title and description. */
export const ConversationFilters = Schema.Struct({
  status: Schema.optional(ConversationStatus),
  channel: Schema.optional(Channel),
  priority: Schema.optional(Priority),
  participantId: Schema.optional(ParticipantId),
  tag: Schema.optional(Schema.String),
  search: Schema.optional(SearchText)
})
export type ConversationFilters = typeof ConversationFilters.Type
