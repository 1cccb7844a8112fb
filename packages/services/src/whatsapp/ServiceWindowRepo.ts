import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type {
  EntryPointSource,
  ServiceWindowFilters,
  ServiceWindowId
} from "@switchboard/domain/whatsapp/ServiceWindow"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A stored service window. It is active until `expiresAt`. */
export interface StoredServiceWindow {
  readonly id: ServiceWindowId
  readonly participantId: ParticipantId
  readonly expiresAt: DateTime.Utc
  /** The free entry point that was activated last. */
  readonly entryPoint: { readonly source: EntryPointSource; readonly expiresAt: DateTime.Utc } | null
}

/** Stores service windows, one for each participant. */
export class ServiceWindowRepo extends Context.Tag("services/ServiceWindowRepo")<
  ServiceWindowRepo,
  {
    /**
     * Opens a participant's window under the id, or renews the existing one, which never becomes shorter. None if the
     * organization has no such participant.
     */
    readonly open: (
      organization: OrganizationId,
      participant: ParticipantId,
      window: { readonly id: ServiceWindowId; readonly at: DateTime.Utc; readonly expiresAt: DateTime.Utc }
    ) => Effect.Effect<Option.Option<StoredServiceWindow>, ServiceUnavailableError>
    /** A window of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: ServiceWindowId
    ) => Effect.Effect<Option.Option<StoredServiceWindow>, ServiceUnavailableError>
    /** The window of the participant with a WhatsApp number (E.164). */
    readonly findByAddress: (
      organization: OrganizationId,
      address: string
    ) => Effect.Effect<Option.Option<StoredServiceWindow>, ServiceUnavailableError>
    /** The organization's windows, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ServiceWindowFilters,
      page: PageRequest
    ) => Effect.Effect<Page<StoredServiceWindow>, BadRequestError | ServiceUnavailableError>
    /** Locks a window, calls `decide`, and stores its entry point. None if the organization has no such window. */
    readonly activate: <E>(
      organization: OrganizationId,
      id: ServiceWindowId,
      decide: (window: StoredServiceWindow) => Effect.Effect<StoredServiceWindow["entryPoint"], E>
    ) => Effect.Effect<Option.Option<StoredServiceWindow>, E | ServiceUnavailableError>
  }
>() {}
