import { Schema } from "effect"
import { CountryCode } from "../CountryCode.js"
import { EmailAddress } from "../email/EmailAddress.js"
import { choice, clearable } from "../Fields.js"
import { OrganizationId } from "../organizations/Organization.js"
import { SearchText } from "../Search.js"
import { visibleLine } from "../Text.js"
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

/** The kinds of addresses. */
export type AddressKind = keyof ChannelIdentities

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

const maxMetadataBytes = 8_192

const Name = visibleLine(200)
const Region = visibleLine(100)

/** A phone number. The service checks whether it is valid. */
const Phone = visibleLine(40).annotations({
  description: "a phone number with its country code",
  examples: ["+49 30 123456"]
})

const WhatsAppId = visibleLine(40).annotations({
  description: "the phone number of a WhatsApp account, with its country code",
  examples: ["4930123456"]
})

const Metadata = Schema.Record({ key: Schema.String, value: Schema.Unknown })
  .pipe(
    Schema.filter(
      (map) =>
        new TextEncoder().encode(JSON.stringify(map)).byteLength <= maxMetadataBytes ||
        `must have at most ${maxMetadataBytes} bytes as JSON`
    )
  )
  .annotations({ description: "a map of the organization's own, which replaces the earlier one" })

/** A new contact. */
export const CreateParticipant = Schema.Struct({
  name: Name,
  displayName: Schema.optional(Name),
  email: Schema.optional(EmailAddress),
  phone: Schema.optional(Phone),
  whatsappId: Schema.optional(WhatsAppId),
  country: Schema.optional(CountryCode),
  region: Schema.optional(Region),
  metadata: Schema.optional(Metadata)
}).annotations({ identifier: "CreateParticipant" })
export type CreateParticipant = typeof CreateParticipant.Type

/** The fields to change; omitted fields stay. Null resets a field that a creation may omit. */
export const UpdateParticipant = Schema.Struct({
  name: Schema.optional(Name),
  displayName: clearable(Name),
  email: clearable(EmailAddress),
  phone: clearable(Phone),
  whatsappId: clearable(WhatsAppId),
  country: clearable(CountryCode),
  region: clearable(Region),
  metadata: clearable(Metadata)
}).annotations({ identifier: "UpdateParticipant" })
export type UpdateParticipant = typeof UpdateParticipant.Type

/** Filters of a list of participants; `search` matches names and addresses. */
export const ParticipantFilters = Schema.Struct({
  type: Schema.optional(ParticipantType),
  search: Schema.optional(SearchText)
})
export type ParticipantFilters = typeof ParticipantFilters.Type
