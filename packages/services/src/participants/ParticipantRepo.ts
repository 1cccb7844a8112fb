import type { BadRequestError, ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type {
  MessageParticipant,
  Participant,
  ParticipantFilters,
  ParticipantId
} from "@switchboard/domain/participants/Participant"
import { Context, type Effect, type Option } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"

/** The ISO 3166 country code of a phone number (E.164); null if it has none or is unknown. */
export const countryOfPhone = (phone: string): string | null => parsePhoneNumberFromString(phone)?.country ?? null

/** Stores participants. A message to or from an unknown address creates one. */
export class ParticipantRepo extends Context.Tag("services/ParticipantRepo")<
  ParticipantRepo,
  {
    /** The organization's participants among the ids, in no order. */
    readonly findMany: (
      organization: OrganizationId,
      ids: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<ReadonlyArray<MessageParticipant>, ServiceUnavailableError>
    /**
     * Stores a participant. A contact created by mail with one of its addresses is replaced and keeps its id. Fails if
     * another participant has one of the addresses; the error names it.
     */
    readonly insert: (participant: Participant) => Effect.Effect<Participant, ConflictError | ServiceUnavailableError>
    /** A participant of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: ParticipantId
    ) => Effect.Effect<Option.Option<Participant>, ServiceUnavailableError>
    /** The organization's participants, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ParticipantFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Participant>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a participant and stores the result of `change`. None if the organization has no such participant. Fails if
     * another participant has one of the addresses.
     */
    readonly change: (
      organization: OrganizationId,
      id: ParticipantId,
      change: (participant: Participant) => Participant
    ) => Effect.Effect<Option.Option<Participant>, ConflictError | ServiceUnavailableError>
    /** Removes a participant. Returns whether it existed. Fails if a message or a conversation names it. */
    readonly remove: (
      organization: OrganizationId,
      id: ParticipantId
    ) => Effect.Effect<boolean, ConflictError | ServiceUnavailableError>
  }
>() {}
