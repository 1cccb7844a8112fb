import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { OptedOut, OptOut, OptOutFilters, OptOutId, OptOutWord } from "@switchboard/domain/sms/OptOut"
import { Context, type Effect, type Option } from "effect"

/** Stores the phones that opted out of the texts from a number. */
export class OptOutRepo extends Context.Tag("services/OptOutRepo")<
  OptOutRepo,
  {
    /** Stores an opt-out. Returns false if the phone already opted out of the number. */
    readonly insert: (organization: OrganizationId, optOut: OptOut) => Effect.Effect<boolean, ServiceUnavailableError>
    /** An opt-out of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: OptOutId
    ) => Effect.Effect<Option.Option<OptOut>, ServiceUnavailableError>
    /** The opt-outs of phones from a number now. Concurrent calls share a statement. */
    readonly findOptedOut: (
      organization: OrganizationId,
      number: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<OptedOut, ServiceUnavailableError>
    /** The organization's opt-outs, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: OptOutFilters,
      page: PageRequest
    ) => Effect.Effect<Page<OptOut>, BadRequestError | ServiceUnavailableError>
    /**
     * Removes an opt-out. Returns false if the organization has no such opt-out. `removal` is a UUIDv7 of now: words
     * that arrived before change nothing any more.
     */
    readonly remove: (
      organization: OrganizationId,
      id: OptOutId,
      removal: string
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Stores the opt-out after STOP, or lifts that of its phone from its number after START. `arrival` is the UUIDv7 of
     * the word's arrival: a word that is processed after a newer one, or again, changes nothing.
     */
    readonly applyWord: (
      organization: OrganizationId,
      word: OptOutWord,
      optOut: OptOut,
      arrival: string
    ) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
