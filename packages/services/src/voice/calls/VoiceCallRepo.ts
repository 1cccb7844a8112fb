import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ReportedEvent } from "@switchboard/domain/voice/calls/CallControl"
import type { VoiceCallFilters, VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { Context, type Effect } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"
import type { ResourceRepo } from "../../ResourceRepo.js"
import type { CallRun, StoredCall } from "./StoredCall.js"

/** The key of a call. */
export type CallKey = Pick<StoredCall, "organizationId" | "id">

/** A change to a call in progress. */
export interface CallChange {
  readonly call: StoredCall
  readonly events: ReadonlyArray<NewEvent>
  /** The time of the next step: immediately, as planned, or never. */
  readonly work: "now" | "asPlanned" | "never"
}

/** Stores calls. Every method is one transaction. */
export class VoiceCallRepo extends Context.Tag("services/VoiceCallRepo")<
  VoiceCallRepo,
  Pick<ResourceRepo<StoredCall, VoiceCallId, VoiceCallFilters>, "find" | "list"> & {
    /**
     * Stores a call, which joins the open conversation of its other party or starts one, and queues its first step.
     * Returns the call with its conversation.
     */
    readonly place: (call: StoredCall, run: CallRun) => Effect.Effect<StoredCall, ServiceUnavailableError>
    /**
     * Stores an event of the carrier, and makes the call ready when it takes effect. A repeat of a stored event, and an
     * event of a call that needs no more work, change nothing.
     */
    readonly deliver: (call: CallKey, reported: ReportedEvent) => Effect.Effect<void, ServiceUnavailableError>
    /** Locks a call, calls `decide`, and stores the result. Returns whether the call exists. */
    readonly change: (
      organization: OrganizationId,
      id: VoiceCallId,
      decide: (call: StoredCall) => Effect.Effect<CallChange, ConflictError | ServiceUnavailableError>
    ) => Effect.Effect<boolean, ConflictError | ServiceUnavailableError>
  }
>() {}
