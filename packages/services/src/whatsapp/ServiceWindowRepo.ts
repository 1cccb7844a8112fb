import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type {
  EntryPointSource,
  ServiceWindowFilters,
  ServiceWindowId
} from "@switchboard/domain/whatsapp/ServiceWindow"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A service window as it is kept: what of it is active, the time says. */
export interface StoredServiceWindow {
  readonly id: ServiceWindowId
  readonly participantId: ParticipantId
  readonly expiresAt: DateTime.Utc
  /** The free entry point that was activated last. */
  readonly entryPoint: { readonly source: EntryPointSource; readonly expiresAt: DateTime.Utc } | null
}

/**
 * Where service windows are kept: a participant has one. The store opens it, or renews it, by itself with every WhatsApp
 * message that comes in.
 */
export class ServiceWindowRepo extends Context.Tag("services/ServiceWindowRepo")<
  ServiceWindowRepo,
  {
    /**
     * Opens a participant's window at a moment, under the id, or renews the one that there is, as a WhatsApp message does
     * that comes in then. None if the organization has no such participant.
     */
    readonly open: (
      organization: OrganizationId,
      participant: ParticipantId,
      id: ServiceWindowId,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<StoredServiceWindow>, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: ServiceWindowId
    ) => Effect.Effect<Option.Option<StoredServiceWindow>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ServiceWindowFilters,
      page: PageRequest
    ) => Effect.Effect<Page<StoredServiceWindow>, ServiceUnavailableError>
    /** Decides which entry point a window has while nobody else does. None if the organization has no such window. */
    readonly activate: <E>(
      organization: OrganizationId,
      id: ServiceWindowId,
      decide: (window: StoredServiceWindow) => Effect.Effect<StoredServiceWindow["entryPoint"], E>
    ) => Effect.Effect<Option.Option<StoredServiceWindow>, E | ServiceUnavailableError>
  }
>() {}
