import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { VoiceCallFilters } from "@switchboard/domain/voice/calls/VoiceCallRequests"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { Context, type Effect, type Option } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"
import type { CallRun, StoredCall } from "./StoredCall.js"

/** What somebody makes of a call that is under way. */
export interface CallChange {
  readonly call: StoredCall
  readonly events: ReadonlyArray<NewEvent>
  /** Whether a worker is to look at it now, at its time, or never again. */
  readonly work: "now" | "asPlanned" | "never"
}

/** Where calls are kept. Every method is one transaction. */
export class VoiceCallRepo extends Context.Tag("services/VoiceCallRepo")<
  VoiceCallRepo,
  {
    /** Stores a call, and has it made. */
    readonly place: (call: StoredCall, run: CallRun) => Effect.Effect<void, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: VoiceCallId
    ) => Effect.Effect<Option.Option<StoredCall>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: VoiceCallFilters,
      page: PageRequest
    ) => Effect.Effect<Page<StoredCall>, ServiceUnavailableError>
    /** Stores what `decide` makes of a call while nobody else changes it. Whether there is one. */
    readonly change: (
      organization: OrganizationId,
      id: VoiceCallId,
      decide: (call: StoredCall) => Effect.Effect<CallChange, ConflictError>
    ) => Effect.Effect<boolean, ConflictError | ServiceUnavailableError>
  }
>() {}
