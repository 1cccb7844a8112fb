import { Schema } from "effect"
import { choice } from "../Choice.js"
import { ParticipantId } from "../participants/Participant.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const ServiceWindowId = Uuid.pipe(Schema.brand("ServiceWindowId"))
export type ServiceWindowId = typeof ServiceWindowId.Type

/** What brought somebody to write. */
export const EntryPointSource = choice("ads", "facebook", "instagram").annotations({ identifier: "EntryPointSource" })
export type EntryPointSource = typeof EntryPointSource.Type

/** For how long somebody who has written may be written to. */
export const ServiceWindow = Schema.Struct({
  serviceWindowId: ServiceWindowId,
  isServiceWindowActive: Schema.Boolean,
  isFreeEntryPointActive: Schema.Boolean,
  serviceWindowExpiresAt: Timestamp,
  freeEntryPointExpiresAt: Schema.optional(Timestamp)
}).annotations({ identifier: "ServiceWindow" })
export type ServiceWindow = typeof ServiceWindow.Type

/** A service window, with whose it is. */
export const ParticipantServiceWindow = Schema.Struct({
  ...ServiceWindow.fields,
  participantId: ParticipantId.annotations({ description: "whose window it is, an extension" })
}).annotations({ identifier: "ParticipantServiceWindow" })
export type ParticipantServiceWindow = typeof ParticipantServiceWindow.Type

/** Somebody has written. */
export const OpenServiceWindow = Schema.Struct({ participantId: ParticipantId }).annotations({
  identifier: "OpenServiceWindow"
})
export type OpenServiceWindow = typeof OpenServiceWindow.Type

/** Somebody came from an advertisement or a page. */
export const ActivateFreeEntryPoint = Schema.Struct({
  serviceWindowId: ServiceWindowId,
  source: EntryPointSource
}).annotations({ identifier: "ActivateFreeEntryPoint" })
export type ActivateFreeEntryPoint = typeof ActivateFreeEntryPoint.Type

/** What a list of service windows may be narrowed to. */
export const ServiceWindowFilters = Schema.Struct({ participantId: Schema.optional(ParticipantId) })
export type ServiceWindowFilters = typeof ServiceWindowFilters.Type
