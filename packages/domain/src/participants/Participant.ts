import { Schema } from "effect"
import { choice } from "../Choice.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const ParticipantId = Uuid.pipe(Schema.brand("ParticipantId"))
export type ParticipantId = typeof ParticipantId.Type

export const ParticipantType = choice("contact", "sender", "agent")
export type ParticipantType = typeof ParticipantType.Type

/** The addresses of a participant by channel. */
export const ChannelIdentities = Schema.Struct({
  email: Schema.optional(Schema.Array(Schema.String)),
  phone: Schema.optional(Schema.Array(Schema.String)),
  whatsapp: Schema.optional(Schema.Array(Schema.String))
}).annotations({ identifier: "ChannelIdentities" })
export type ChannelIdentities = typeof ChannelIdentities.Type

/** A participant as a message contains it. */
export const MessageParticipant = Schema.Struct({
  id: ParticipantId,
  name: Schema.String,
  displayName: Schema.NullOr(Schema.String),
  type: ParticipantType,
  channelIdentities: Schema.optional(ChannelIdentities)
}).annotations({ identifier: "MessageParticipant" })
export type MessageParticipant = typeof MessageParticipant.Type

/** A person or system that an organization exchanges messages with. An address belongs to one participant. */
export class Participant extends Schema.Class<Participant>("Participant")({
  id: ParticipantId,
  organizationId: OrganizationId,
  name: Schema.String,
  displayName: Schema.optional(Schema.String),
  type: ParticipantType,
  channelIdentities: ChannelIdentities,
  country: Schema.optional(Schema.String),
  region: Schema.optional(Schema.String),
  metadata: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}
