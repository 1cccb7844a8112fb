import { Schema } from "effect"
import { choice } from "../Fields.js"
import { ParticipantId } from "../participants/Participant.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const ServiceWindowId = Uuid.pipe(Schema.brand("ServiceWindowId"))
export type ServiceWindowId = typeof ServiceWindowId.Type

/** The entry point of a conversation. */
export const EntryPointSource = choice("ads", "facebook", "instagram").annotations({ identifier: "EntryPointSource" })
export type EntryPointSource = typeof EntryPointSource.Type

/** The period in which a participant who has written can be sent free-form messages. */
export const ServiceWindow = Schema.Struct({
  serviceWindowId: ServiceWindowId,
  isServiceWindowActive: Schema.Boolean,
  isFreeEntryPointActive: Schema.Boolean,
  serviceWindowExpiresAt: Timestamp,
  freeEntryPointExpiresAt: Schema.optional(Timestamp)
}).annotations({ identifier: "ServiceWindow" })
export type ServiceWindow = typeof ServiceWindow.Type

/** A service window and its participant. */
export const ParticipantServiceWindow = Schema.Struct({
  ...ServiceWindow.fields,
  participantId: ParticipantId.annotations({ description: "the participant of the window, an extension" })
}).annotations({ identifier: "ParticipantServiceWindow" })
export type ParticipantServiceWindow = typeof ParticipantServiceWindow.Type

/** Records an inbound message of a participant. */
export const OpenServiceWindow = Schema.Struct({ participantId: ParticipantId }).annotations({
  identifier: "OpenServiceWindow"
})
export type OpenServiceWindow = typeof OpenServiceWindow.Type

/** Records that a participant came from an advertisement or a page. */
export const ActivateFreeEntryPoint = Schema.Struct({
  serviceWindowId: ServiceWindowId,
  source: EntryPointSource
}).annotations({ identifier: "ActivateFreeEntryPoint" })
export type ActivateFreeEntryPoint = typeof ActivateFreeEntryPoint.Type

/** Filters of a list of service windows. */
export const ServiceWindowFilters = Schema.Struct({ participantId: Schema.optional(ParticipantId) })
export type ServiceWindowFilters = typeof ServiceWindowFilters.Type
