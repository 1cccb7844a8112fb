import { Schema } from "effect"
import { Uuid } from "../Uuid.js"

export const ParticipantId = Uuid.pipe(Schema.brand("ParticipantId"))
export type ParticipantId = typeof ParticipantId.Type

export const ParticipantType = Schema.Literal("contact", "sender", "agent")
export type ParticipantType = typeof ParticipantType.Type

/** The addresses by which a participant is reached, by kind. */
export const ChannelIdentities = Schema.Struct({
  email: Schema.optional(Schema.Array(Schema.String)),
  phone: Schema.optional(Schema.Array(Schema.String)),
  whatsapp: Schema.optional(Schema.Array(Schema.String))
}).annotations({ identifier: "ChannelIdentities" })

/** Somebody who sends or receives, as a message shows it. */
export const MessageParticipant = Schema.Struct({
  id: ParticipantId,
  name: Schema.String,
  displayName: Schema.NullOr(Schema.String),
  type: ParticipantType,
  channelIdentities: Schema.optional(ChannelIdentities)
}).annotations({ identifier: "MessageParticipant" })
export type MessageParticipant = typeof MessageParticipant.Type
