import { Schema } from "effect"
import { choice } from "../Choice.js"
import { ConversationId } from "../messages/Message.js"
import { ParticipantId } from "../participants/Participant.js"
import { Complexity, ConversationStatus, ResolutionType, Urgency } from "./Conversation.js"

/** The maximum size of a JSON field, in bytes: events contain the conversation and are limited to 20 KB. */
const maxJsonBytes = 4_096

const text = (max: number) =>
  Schema.String.pipe(
    Schema.filter((value) => (value.length >= 1 && value.length <= max) || `must have 1 to ${max} characters`)
  ).annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: max } })

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
  jsonSchema: { type: "string", contentMediaType: "application/json", maxLength: maxJsonBytes }
})

const distinct = <A extends string, I>(item: Schema.Schema<A, I>) =>
  Schema.Array(item).pipe(
    Schema.filter((items) =>
      items.flatMap((one, at) => (items.indexOf(one) < at ? [{ path: [at], message: "must not be named twice" }] : []))
    )
  )

const max20Items = <A extends string, I>(item: Schema.Schema<A, I>) =>
  distinct(item).pipe(
    Schema.filter((items) => items.length <= 20 || "must have at most 20 items", { jsonSchema: { maxItems: 20 } })
  )

const Channel = choice("sms", "whatsapp", "email", "voice")
const Channels = distinct(Channel).pipe(
  Schema.filter((channels) => channels.length > 0 || "must name at least one channel", { jsonSchema: { minItems: 1 } })
)
const Priority = Schema.Number.pipe(
  Schema.filter(
    (value) => (Number.isInteger(value) && value >= 0 && value <= 4) || "must be a whole number from 0 to 4"
  )
).annotations({ jsonSchema: { type: "integer", minimum: 0, maximum: 4, description: "2 is normal" } })

const Title = text(200)
const Description = text(2_000)
const Reference = text(255)
const Notes = text(2_000)
const Labels = max20Items(text(100))

const settings = {
  status: Schema.optional(ConversationStatus),
  priority: Schema.optional(Priority),
  urgency: Schema.optional(Urgency),
  complexity: Schema.optional(Complexity),
  tags: Schema.optional(Labels),
  categories: Schema.optional(Labels),
  isTest: Schema.optional(Schema.Boolean),
  isInternal: Schema.optional(Schema.Boolean),
  isPrivate: Schema.optional(Schema.Boolean),
  resolutionType: Schema.optional(ResolutionType)
}

/** The participants of a conversation. Duplicates count once. */
export const ParticipantIds = Schema.Array(ParticipantId).pipe(
  Schema.filter((ids) => ids.length > 0 || "must name at least one participant", { jsonSchema: { minItems: 1 } }),
  Schema.filter((ids) => ids.length <= 100 || "must have at most 100 items", { jsonSchema: { maxItems: 100 } })
)

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
  ...settings,
  participantIds: Schema.optional(ParticipantIds)
}).annotations({ identifier: "CreateConversation" })
export type CreateConversation = typeof CreateConversation.Type

/** The fields to change; omitted fields stay. Null removes an optional field. */
export const UpdateConversation = Schema.Struct({
  title: Schema.optional(Schema.NullOr(Title)),
  description: Schema.optional(Schema.NullOr(Description)),
  externalId: Schema.optional(Schema.NullOr(Reference)),
  parentConversationId: Schema.optional(Schema.NullOr(ConversationId)),
  channels: Schema.optional(Channels),
  primaryChannel: Schema.optional(Channel),
  statusReason: Schema.optional(Schema.NullOr(Notes)),
  metadata: Schema.optional(Schema.NullOr(JsonText)),
  context: Schema.optional(Schema.NullOr(JsonText)),
  resolutionNotes: Schema.optional(Schema.NullOr(Notes)),
  ...settings
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
  search: Schema.optional(Schema.String)
})
export type ConversationFilters = typeof ConversationFilters.Type
