import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { MessageParticipant, Participant, ParticipantId } from "@switchboard/domain/participants/Participant"
import type { ParticipantFilters } from "@switchboard/domain/participants/ParticipantRequests"
import { Context, type Effect, type Option } from "effect"

/** Where people are kept. They come into being when a message first names their address, or by themselves. */
export class ParticipantRepo extends Context.Tag("services/ParticipantRepo")<
  ParticipantRepo,
  {
    /** Those of the ids that are the organization's, in no order. */
    readonly findMany: (
      organization: OrganizationId,
      ids: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<ReadonlyArray<MessageParticipant>, ServiceUnavailableError>
    /**
     * Stores a participant. A contact that mail alone made of one of its addresses becomes it, and keeps its id; an
     * address of anybody else is a conflict, which says whose it is.
     */
    readonly insert: (participant: Participant) => Effect.Effect<Participant, ConflictError | ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: ParticipantId
    ) => Effect.Effect<Option.Option<Participant>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ParticipantFilters,
      page: PageRequest
    ) => Effect.Effect<Page<Participant>, ServiceUnavailableError>
    /**
     * Stores what `change` makes of a participant while nobody else changes it; an address of somebody else is a
     * conflict. None if the organization has no such participant.
     */
    readonly change: (
      organization: OrganizationId,
      id: ParticipantId,
      change: (participant: Participant) => Participant
    ) => Effect.Effect<Option.Option<Participant>, ConflictError | ServiceUnavailableError>
    /** Removes one whom no message and no conversation names; the others are a conflict. Whether it existed. */
    readonly remove: (
      organization: OrganizationId,
      id: ParticipantId
    ) => Effect.Effect<boolean, ConflictError | ServiceUnavailableError>
  }
>() {}
